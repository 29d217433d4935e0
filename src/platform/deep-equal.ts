/** Compares two JSON values, whose objects may also hold bytes, ignoring the order of their members. Most contents differ in their first few members. */
export const deepEqual = (one: unknown, other: unknown): boolean => {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  if (one instanceof Uint8Array && other instanceof Uint8Array)
    return Buffer.compare(one, other) === 0;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [left, right] = [one, other] as [Record<string, unknown>, Record<string, unknown>];
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  for (const name of names) {
    if (!Object.hasOwn(right, name) || !deepEqual(left[name], right[name])) return false;
  }
  return true;
};
