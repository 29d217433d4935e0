import { eachShared, type Ids } from "./doc-ids.ts";
import { bitsOf, bytesOfBits } from "./id-bitmap.ts";
import { bucketsOf, bytesOfBuckets, widthOfByte, widthOfPair } from "./id-buckets.ts";

/** Buffers for the indexes of ids that two lists share. Only their first entries are filled. */
export interface Shared {
  readonly asked: Uint32Array;
  readonly own: Uint32Array;
}

/** A compact set of ids that maps ids to indexes and back. */
export interface Places {
  readonly bytes: number;
  /** Writes all ids into an array. */
  unpack(ids: Ids): void;
  /**
   * Finds ids, and writes their indexes among the requested ids and in the list.
   * @returns how many were found
   */
  find(queryIds: Ids, buffers: Shared): number;
  idAt(index: number): number;
}

/** Mean number of ids in a bucket where low parts take two bytes. */
const meanBucketSize = 16;

/**
 * Creates the smallest index of these ids.
 * @param last the greatest id
 */
export const placesOf = (ids: Ids, last: number): Places =>
  last < 2 ** 31 ? createPackedIndex(ids as Uint32Array, last) : createPlainIndex(ids);

const createPackedIndex = (ids: Uint32Array, last: number): Places => {
  const { length } = ids;
  const meanGap = (last + 1) / Math.max(1, length);
  const wideWidth = 2 ** Math.max(8, Math.ceil(Math.log2(meanGap * meanBucketSize)));
  const [bitmapSize, byteBucketSize, wideBucketSize] = [
    bytesOfBits(last),
    bytesOfBuckets(length, last, widthOfByte),
    wideWidth <= widthOfPair ? bytesOfBuckets(length, last, wideWidth) : Number.POSITIVE_INFINITY,
  ];
  const smallest = Math.min(bitmapSize, byteBucketSize, wideBucketSize, ids.byteLength);
  if (smallest === bitmapSize) return bitsOf(ids, last);
  if (smallest === byteBucketSize) return bucketsOf(ids, last, widthOfByte);
  return smallest === wideBucketSize ? bucketsOf(ids, last, wideWidth) : createPlainIndex(ids);
};

/** Creates an index of plain ids, for ids that are sparse or large. */
const createPlainIndex = (ids: Ids): Places => ({
  bytes: ids.byteLength + ids.length,
  unpack: (unpacked) => unpacked.set(ids),
  find(queryIds, buffers) {
    let count = 0;
    eachShared(queryIds, ids, (at, index) => {
      buffers.asked[count] = at;
      buffers.own[count++] = index;
    });
    return count;
  },
  idAt: (index) => ids[index] as number,
});
