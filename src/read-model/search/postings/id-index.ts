import { eachShared, type Ids } from "./doc-ids.ts";
import { bitsOf, bytesOfBits } from "./id-bitmap.ts";
import { bucketsOf, bytesOfBuckets, widthOfByte, widthOfPair } from "./id-buckets.ts";

/** Places of ids that two lists share, as far as they are filled. */
export interface Shared {
  readonly asked: Uint32Array;
  readonly own: Uint32Array;
}

/** Where ids stand: how many come before one, and which they are. */
export interface Places {
  readonly bytes: number;
  /** Writes the ids. */
  unpack(ids: Ids): void;
  /**
   * Looks for ids, and writes of each that is in the list its place among those asked for and that in the list.
   * @returns how many they are
   */
  find(asked: Ids, found: Shared): number;
  idAt(place: number): number;
}

/** Ids that a bucket holds, in the mean, where their low ends take two bytes. */
const idsInBucket = 16;

/** The form in which these ids take least. @param last the greatest of them */
export const placesOf = (ids: Ids, last: number): Places =>
  last < 2 ** 31 ? packedPlaces(ids as Uint32Array, last) : plain(ids);

const packedPlaces = (ids: Uint32Array, last: number): Places => {
  const { length } = ids;
  const apart = (last + 1) / Math.max(1, length);
  const wide = 2 ** Math.max(8, Math.ceil(Math.log2(apart * idsInBucket)));
  const [asBits, asBytes, asPairs] = [
    bytesOfBits(last),
    bytesOfBuckets(length, last, widthOfByte),
    wide <= widthOfPair ? bytesOfBuckets(length, last, wide) : Number.POSITIVE_INFINITY,
  ];
  const least = Math.min(asBits, asBytes, asPairs, ids.byteLength);
  if (least === asBits) return bitsOf(ids, last);
  if (least === asBytes) return bucketsOf(ids, last, widthOfByte);
  return least === asPairs ? bucketsOf(ids, last, wide) : plain(ids);
};

/** Of a shop whose ids are far apart, or great. */
const plain = (ids: Ids): Places => ({
  bytes: ids.byteLength + ids.length,
  unpack: (unpacked) => unpacked.set(ids),
  find(asked, found) {
    let count = 0;
    eachShared(asked, ids, (at, place) => {
      found.asked[count] = at;
      found.own[count++] = place;
    });
    return count;
  },
  idAt: (place) => ids[place] as number,
});
