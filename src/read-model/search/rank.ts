import { nameLengthOf, placeOf } from "./posting.ts";

/** How rare a word is, 1 to 63: what it weighs beside the other words of a query. */
export const rarityOf = (matching: number, products: number): number => {
  const count = Math.min(matching, products);
  const idf = Math.log(1 + (products - count + 0.5) / (count + 0.5));
  return Math.max(1, Math.min(63, Math.round(idf * 4)));
};

/** What two words that stand in a name as they stand in the query add, in impacts of the commoner of them. */
const besideCounts = 32;
/** What a name that is the query and nothing else adds, in impacts of all its words. */
const wholeCounts = 64;

/**
 * The rank of each product: an integer that follows from the product, the query and the rarities alone.
 * @param payloads of each part of the query, in its order; 0 where a product lacks it
 */
export const ranksOf = (
  count: number,
  payloads: readonly Uint16Array[],
  rarities: readonly number[],
): Float64Array => {
  const ranks = new Float64Array(count);
  const all = rarities.reduce((sum, rarity) => sum + rarity, 0);
  const length = payloads.length;
  for (let at = 0; at < count; at += 1) {
    let rank = 0;
    let last = 0;
    let run = 0;
    for (let part = 0; part < length; part += 1) {
      const payload = (payloads[part] as Uint16Array)[at] as number;
      const rarity = rarities[part] as number;
      rank += rarity * (payload & 127);
      const place = placeOf(payload);
      const follows = place !== 0 && place === last + 1 && (part === 0 || last !== 0);
      run = follows ? run + 1 : 0;
      if (follows && part > 0)
        rank += besideCounts * Math.min(rarity, rarities[part - 1] as number);
      if (run === length && nameLengthOf(payload) === length) rank += wholeCounts * all;
      last = place;
    }
    ranks[at] = rank;
  }
  return ranks;
};

/** The best places, in order: those of the `most` greatest ranks, of equal ones the lower places first. */
export const bestOf = (ranks: Float64Array, places: Uint32Array, most: number): Uint32Array => {
  const before = (a: number, b: number): number =>
    (ranks[b] as number) - (ranks[a] as number) || a - b;
  if (most <= 0) return places.subarray(0, 0);
  if (places.length <= 4 * most) return places.slice().sort(before).subarray(0, most);
  const heap = places.slice(0, most).sort((a, b) => before(b, a));
  for (let at = most; at < places.length; at += 1) {
    const place = places[at] as number;
    if (before(place, heap[0] as number) < 0) sink(heap, place, before);
  }
  return heap.sort(before);
};

/** Puts a place instead of the worst, which stands at the root. */
const sink = (heap: Uint32Array, place: number, before: (a: number, b: number) => number): void => {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    const other = child + 1;
    if (other < heap.length && before(heap[child] as number, heap[other] as number) < 0) {
      child = other;
    }
    if (before(heap[child] as number, place) < 0) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = place;
};
