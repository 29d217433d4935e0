import type { IdIndex } from "./id-index.ts";

/** Widths of buckets whose low parts fit in one byte and in two. */
export const [oneByteWidth, twoByteWidth] = [2 ** 8, 2 ** 16];

export const bucketBytes = (count: number, last: number, width: number): number =>
  count * (width <= oneByteWidth ? 1 : 2) + 4 * (Math.floor(last / width) + 2);

/**
 * Creates an index with the low part of each id, in one or two bytes. A bucket holds ids with equal high parts.
 * @param last greatest id, below 2^31, because a shift splits such ids faster than a division
 * @param width of a bucket, a power of two up to 2^16
 */
export const createBuckets = (ids: Uint32Array, last: number, width: number): IdIndex => {
  const shift = Math.log2(width);
  const lows = new (width <= oneByteWidth ? Uint8Array : Uint16Array)(ids.length);
  const starts = new Uint32Array((last >>> shift) + 2);
  let bucket = 0;
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] as number;
    for (const bucketIndex = id >>> shift; bucket < bucketIndex; ) starts[++bucket] = at;
    lows[at] = id & (width - 1);
  }
  starts[bucket + 1] = ids.length;
  return {
    bytes: lows.byteLength + starts.byteLength,
    unpack(unpacked) {
      for (let bucketIndex = 0; bucketIndex < starts.length - 1; bucketIndex += 1) {
        const end = starts[bucketIndex + 1] as number;
        for (let at = starts[bucketIndex] as number; at < end; at += 1) {
          unpacked[at] = (bucketIndex << shift) | (lows[at] as number);
        }
      }
    },
    find(queryIds, buffers) {
      let count = 0;
      for (let at = 0; at < queryIds.length; at += 1) {
        const id = queryIds[at] as number;
        if (id > last) break;
        const bucketIndex = id >>> shift;
        const low = id & (width - 1);
        let index = starts[bucketIndex] as number;
        let size = (starts[bucketIndex + 1] as number) - index;
        if (size === 0) continue;
        // Binary search without a branch, because every second prediction would fail and cost as much.
        while (size > 1) {
          const half = size >>> 1;
          index += half & (((lows[index + half - 1] as number) - low) >> 31);
          size -= half;
        }
        if (lows[index] !== low) continue;
        buffers.queryIndexes[count] = at;
        buffers.listIndexes[count++] = index;
      }
      return count;
    },
  };
};
