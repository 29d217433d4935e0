import { crc32 } from "node:zlib";

/** Number of remembered keys, approximately, because keys share slots by checksum. */
const slotCount = 8_192;

/**
 * Creates a cache admission filter. It admits a response only if its key was seen before, within as much
 * response volume as the cache holds, because most keys are requested once and would only evict others. It
 * stores checksums instead of keys, because a thousand short-lived strings are expensive for the garbage
 * collector. Two keys with one checksum count as the same key: the only effect is that a response is cached one
 * request early.
 * @param capacity of the cache, in the unit of the sizes
 */
export const createDoorkeeper = (capacity: number) => {
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
