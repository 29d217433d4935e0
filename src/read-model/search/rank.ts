import { impactOf, nameLengthOf, type Payload, placeOf } from "./posting.ts";

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
): Uint32Array => {
  const ranks = new Uint32Array(count);
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

/** The rank in a query that is one word, which many more products match: nothing but the payload counts. */
export const rankOfOne = (payload: Payload, rarity: number): number => {
  const isName = placeOf(payload) === 1 && nameLengthOf(payload) === 1;
  return rarity * impactOf(payload) + (isName ? wholeCounts * rarity : 0);
};

/** Where a walk goes on: behind a rank, and behind a place among those that have it. */
export interface Behind {
  readonly rank: number;
  /** The first place that counts among products of this very rank. */
  readonly place: number;
}

export interface Best {
  /** Places in order: those of the greatest ranks, of equal ones the lower places first. */
  readonly places: Uint32Array;
  /** How many there are to choose from. */
  readonly behind: number;
}

/** The best places, of all or of those behind one. */
export const bestOf = (ranks: Uint32Array, most: number, from?: Behind): Best => {
  const heap = new Uint32Array(Math.min(most, ranks.length));
  let size = 0;
  let behind = 0;
  // Only what outranks the worst that is kept has to be looked at twice, which soon is next to nothing.
  let worst = -1;
  for (let at = 0; at < ranks.length; at += 1) {
    const rank = ranks[at] as number;
    if (from && (rank > from.rank || (rank === from.rank && at < from.place))) continue;
    behind += 1;
    if (rank <= worst) continue;
    if (size < heap.length) {
      heap[size++] = at;
      if (size === heap.length) heap.sort(worstFirst(ranks));
    } else if (size > 0) sink(heap, at, ranks);
    if (size === heap.length && size > 0) worst = ranks[heap[0] as number] as number;
  }
  const places = heap.subarray(0, size).sort((a, b) => -worstFirst(ranks)(a, b));
  return { places, behind };
};

const worstFirst =
  (ranks: Uint32Array) =>
  (a: number, b: number): number =>
    (ranks[a] as number) - (ranks[b] as number) || b - a;

/** Puts a place instead of the worst, which stands at the root. */
const sink = (heap: Uint32Array, place: number, ranks: Uint32Array): void => {
  const isWorse = (a: number, b: number): boolean => {
    const [one, other] = [ranks[a] as number, ranks[b] as number];
    return one < other || (one === other && a > b);
  };
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isWorse(heap[child + 1] as number, heap[child] as number)) {
      child += 1;
    }
    if (!isWorse(heap[child] as number, place)) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = place;
};
