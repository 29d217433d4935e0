import { type DocIds, forEachCommon } from "../doc-ids.ts";
import { bitmapBytes, createBitmap } from "./id-bitmap.ts";
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
