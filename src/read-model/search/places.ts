import { eachShared, type Ids } from "./ids.ts";
import { bitsOf } from "./places-bits.ts";
import { bucketsOf } from "./places-buckets.ts";

/** Where ids stand: how many come before one, and which they are. */
export interface Places {
  readonly bytes: number;
  /** Writes the ids. */
  unpack(ids: Ids): void;
  /** Visits the ids that are in the list: their place among those asked for, and in the list. */
  find(asked: Ids, visit: (at: number, place: number) => void): void;
  idAt(place: number): number;
}

/** Ids that so many of a row are in the list are kept as bits; others by buckets, where their low ends fit in two bytes. */
const rowOfBits = 14;

/** Ids that a bucket holds, in the mean. */
const idsInBucket = 16;

/** The form in which these ids take least. @param last the greatest of them */
export const placesOf = (ids: Ids, last: number): Places => {
  if (last < 2 ** 31 && last < ids.length * rowOfBits) return bitsOf(ids as Uint32Array, last);
  const wanted = Math.ceil(Math.log2(((last + 1) / Math.max(1, ids.length)) * idsInBucket));
  return wanted <= 16 ? bucketsOf(ids, last, 2 ** Math.max(0, wanted)) : plain(ids);
};

/** Of a shop whose ids are far apart. */
const plain = (ids: Ids): Places => ({
  bytes: ids.byteLength + ids.length,
  unpack: (unpacked) => unpacked.set(ids),
  find: (asked, visit) => eachShared(asked, ids, visit),
  idAt: (place) => ids[place] as number,
});
