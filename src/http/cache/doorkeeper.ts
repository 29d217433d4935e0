import { crc32 } from "node:zlib";

/** Keys that are remembered, about. */
const slots = 8_192;

/**
 * Tells whether what is under a key came before, and not longer ago than it would have been kept: most never comes
 * again, and what comes again only after everything else would throw out others to be thrown out itself.
 * Remembers sums of keys, not keys: a thousand strings that live a little while are dear to collect. Two keys of one
 * sum are taken for one, which keeps something a turn early.
 * @param room how much is kept, in the unit of the sizes
 */
export const noticeRepetition = (room: number) => {
  const sums = new Uint32Array(slots);
  const passedAt = new Float64Array(slots);
  let passed = 0;
  return (key: string, size: number): boolean => {
    const sum = crc32(key);
    const slot = sum % slots;
    const between = passed - (passedAt[slot] as number);
    const isAgain = sums[slot] === sum && between + size <= room;
    passed += size;
    sums[slot] = sum;
    passedAt[slot] = passed;
    return isAgain;
  };
};
