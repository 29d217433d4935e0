/** Reads members of JSON whose types are not certain. */

export type Members = Readonly<Record<string, unknown>>;

/** @returns undefined for anything but a JSON object */
export const readMembers = (value: unknown): Members | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;

/** Reads the objects of a list; other items are skipped. */
export const readObjects = (value: unknown): readonly Members[] =>
  Array.isArray(value) ? value.filter((item) => readMembers(item) !== undefined) : [];

/**
 * Reads a text without surrounding blanks and lone surrogates, which no address can have.
 * @returns undefined for anything but a text or a number, and for a blank text
 */
export const readText = (value: unknown): string | undefined => {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text.trim() !== "" ? text.trim().toWellFormed() : undefined;
};

/** Reads a whole number; a fraction is rounded down. */
export const readInteger = (value: unknown): number | undefined => {
  const text = readText(value);
  const number =
    text !== undefined && /^-?\d+(\.\d+)?$/.test(text) ? Math.floor(Number(text)) : NaN;
  return Number.isSafeInteger(number) ? number : undefined;
};
