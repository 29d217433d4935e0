/** A pseudorandom number generator that repeats its numbers in every run. */
export interface Chance {
  /** Returns an integer from 0 to `limit` - 1. */
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
}

/** Creates a Mulberry32 generator. */
export const seeded = (seed: number): Chance => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, pick: <T>(from: readonly T[]) => from[below(from.length)] as T };
};
