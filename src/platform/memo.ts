/** Memoizes a value that is computed at its first use. */
export const lazy = <T>(compute: () => T): (() => T) => {
  let computed: { readonly value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
};

export const memoize = <Args extends readonly unknown[], T>(
  compute: (...args: Args) => T,
  keyOf: (...args: Args) => unknown = (...args) => JSON.stringify(args),
): ((...args: Args) => T) => {
  const results = new Map<unknown, { readonly value: T }>();
  return (...args) => {
    const key = keyOf(...args);
    const result = results.get(key) ?? { value: compute(...args) };
    results.set(key, result);
    return result.value;
  };
};

/**
 * Memoizes the last result of a function.
 * @param keyOf the result is computed again when this differs from that of the last argument
 */
export const memoizeLast = <Argument, T>(
  compute: (argument: Argument) => T,
  keyOf: (argument: Argument) => unknown = (argument) => argument,
): ((argument: Argument) => T) => {
  let last: { readonly key: unknown; readonly result: T } | undefined;
  return (argument) => {
    const key = keyOf(argument);
    if (!last || last.key !== key) {
      // The last result is released first, because memory may have room for one only.
      last = undefined;
      last = { key, result: compute(argument) };
    }
    return last.result;
  };
};
