/**
 * Adds fields that are computed at their first read. Rendering HTML is the most expensive part of a row. When several
 * events of one entity arrive between two commits, only the fields of the last one are computed.
 */
export const withLazyFields = <T extends object, L extends object>(
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
