import { crc32 } from "node:zlib";

/** Keys that are remembered, about. */
const slotCount = 8_192;

/**
 * Tells whether what is under a key came before, and not longer ago than it would have been kept: most never comes
 * again, and what comes again only after everything else would throw out others to be thrown out itself.
 * Remembers sums of keys, not keys: a thousand strings that live a little while are dear to collect. Two keys of one
 * sum are taken for one, which keeps something a turn early.
 * @param room how much is kept, in the unit of the sizes
 */
export const noticeRepetition = (capacity: number) => {
  const checksums = new Uint32Array(slotCount);
  const seenAt = new Float64Array(slotCount);
  let totalSize = 0;
  return (key: string, size: number): boolean => {
    const checksum = crc32(key);
    const slot = checksum % slotCount;
    const distance = totalSize - (seenAt[slot] as number);
    const seenBefore = checksums[slot] === checksum && distance + size <= capacity;
    totalSize += size;
    checksums[slot] = checksum;
    seenAt[slot] = totalSize;
    return seenBefore;
  };
};
