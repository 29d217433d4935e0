import { eachShared, type Ids } from "./ids.ts";
import { bitsOf, bytesOfBits } from "./places-bits.ts";
import { bucketsOf, bytesOfBuckets, widthOfByte, widthOfPair } from "./places-buckets.ts";

/** Where ids stand: how many come before one, and which they are. */
export interface Places {
  readonly bytes: number;
  /** Writes the ids. */
  unpack(ids: Ids): void;
  /** Visits the ids that are in the list: their place among those asked for, and in the list. */
  find(asked: Ids, visit: (at: number, place: number) => void): void;
  idAt(place: number): number;
}

/** Ids that a bucket holds, in the mean, where their low ends take two bytes. */
const idsInBucket = 16;

/** The form in which these ids take least. @param last the greatest of them */
export const placesOf = (ids: Ids, last: number): Places => {
  const { length } = ids;
  const apart = (last + 1) / Math.max(1, length);
  const wide = 2 ** Math.max(8, Math.ceil(Math.log2(apart * idsInBucket)));
  const [asBits, asBytes, asPairs] = [
    last < 2 ** 31 ? bytesOfBits(last) : Number.POSITIVE_INFINITY,
    bytesOfBuckets(length, last, widthOfByte),
    wide <= widthOfPair ? bytesOfBuckets(length, last, wide) : Number.POSITIVE_INFINITY,
  ];
  const least = Math.min(asBits, asBytes, asPairs, ids.byteLength);
  if (least === asBits) return bitsOf(ids as Uint32Array, last);
  if (least === asBytes) return bucketsOf(ids, last, widthOfByte);
  return least === asPairs ? bucketsOf(ids, last, wide) : plain(ids);
};

/** Of a shop whose ids are far apart. */
const plain = (ids: Ids): Places => ({
  bytes: ids.byteLength + ids.length,
  unpack: (unpacked) => unpacked.set(ids),
  find: (asked, visit) => eachShared(asked, ids, visit),
  idAt: (place) => ids[place] as number,
});
