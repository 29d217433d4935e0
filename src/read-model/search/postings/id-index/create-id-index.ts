import { lowestBit, popcount } from "../../bits.ts";
import { type DocIds, forEachCommon } from "../doc-ids.ts";
import { bucketBytes, createBuckets, oneByteWidth, twoByteWidth } from "./id-buckets.ts";
import type { IdIndex } from "./id-index.ts";

/** Mean number of ids in a bucket where low parts take two bytes. */
const meanBucketSize = 16;

/**
 * Creates the smallest index of these ids.
 * @param last the greatest id
 */
export const createIdIndex = (ids: DocIds, last: number): IdIndex =>
  ids instanceof Uint32Array && last < 2 ** 31
    ? createPackedIndex(ids, last)
    : createPlainIndex(ids);

const createPackedIndex = (ids: Uint32Array, last: number): IdIndex => {
  const { length } = ids;
  const meanGap = (last + 1) / Math.max(1, length);
  const wideWidth = 2 ** Math.max(8, Math.ceil(Math.log2(meanGap * meanBucketSize)));
  const [bitmapSize, byteBucketSize, wideBucketSize] = [
    bitmapBytes(last),
    bucketBytes(length, last, oneByteWidth),
    wideWidth <= twoByteWidth ? bucketBytes(length, last, wideWidth) : Number.POSITIVE_INFINITY,
  ];
  const smallest = Math.min(bitmapSize, byteBucketSize, wideBucketSize, ids.byteLength);
  if (smallest === bitmapSize) return createBitmap(ids, last);
  if (smallest === byteBucketSize) return createBuckets(ids, last, oneByteWidth);
  return smallest === wideBucketSize ? createBuckets(ids, last, wideWidth) : createPlainIndex(ids);
};

/** Creates an index of plain ids, for ids that are sparse or large. */
const createPlainIndex = (ids: DocIds): IdIndex => ({
  bytes: ids.byteLength + ids.length,
  unpack: (unpacked) => unpacked.set(ids),
  find(queryIds, buffers) {
    let count = 0;
    forEachCommon(queryIds, ids, (at, index) => {
      buffers.queryIndexes[count] = at;
      buffers.listIndexes[count++] = index;
    });
    return count;
  },
});

const bitmapBytes = (last: number): number => ((last >>> 5) + 1) * 5;

/** Creates an index with one bit for each possible id. */
const createBitmap = (ids: Uint32Array, last: number): IdIndex => {
  const bits = new Uint32Array((last >>> 5) + 1);
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] as number;
    bits[id >>> 5] = (bits[id >>> 5] as number) | (1 << (id & 31));
  }
  // Number of ids before each fourth word.
  const precedingCounts = new Uint32Array((bits.length + 3) >>> 2);
  let count = 0;
  for (let word = 0; word < bits.length; word += 1) {
    if ((word & 3) === 0) precedingCounts[word >>> 2] = count;
    count += popcount(bits[word] as number);
  }
  const indexOfBit = (word: number, bit: number): number => {
    let index = precedingCounts[word >>> 2] as number;
    for (let at = word & ~3; at < word; at += 1) index += popcount(bits[at] as number);
    return index + popcount((bits[word] as number) & ((1 << bit) - 1));
  };
  return {
    bytes: bits.byteLength + precedingCounts.byteLength,
    unpack(unpacked) {
      let at = 0;
      for (let word = 0; word < bits.length; word += 1) {
        for (let remaining = bits[word] as number; remaining !== 0; remaining &= remaining - 1) {
          unpacked[at++] = word * 32 + lowestBit(remaining);
        }
      }
    },
    find(queryIds, buffers) {
      let count = 0;
      for (let at = 0; at < queryIds.length; at += 1) {
        const id = queryIds[at] as number;
        if (id > last) break;
        const word = id >>> 5;
        if ((((bits[word] as number) >>> (id & 31)) & 1) === 0) continue;
        buffers.queryIndexes[count] = at;
        buffers.listIndexes[count++] = indexOfBit(word, id & 31);
      }
      return count;
    },
  };
};
