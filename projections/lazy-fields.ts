/**
 * An object with further members, each made when it is first looked at. What is made of HTML is the dearest part of a
 * row: of all that is told of one thing between two commits, only what is told last is then rendered.
 */
export const withLater = <T extends object, L extends object>(
  target: T,
  lazyFields: { readonly [K in keyof L]: () => L[K] },
): T & L => {
  for (const [name, compute] of Object.entries(lazyFields) as [string, () => unknown][]) {
    Object.defineProperty(target, name, {
      enumerable: true,
      configurable: true,
      get() {
        const value = compute();
        Object.defineProperty(target, name, { enumerable: true, value });
        return value;
      },
    });
  }
  return target as T & L;
};
