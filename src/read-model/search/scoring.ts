import { impactOf, nameLengthOf, type Payload, placeOf } from "./postings/posting-codec.ts";

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
  for (const [part, column] of payloads.entries()) {
    addImpacts(ranks, column, rarities[part] as number);
    const before = payloads[part - 1];
    if (!before) continue;
    addBeside(ranks, before, column, Math.min(...rarities.slice(part - 1, part + 1)));
  }
  addWhole(ranks, payloads, wholeCounts * rarities.reduce((sum, rarity) => sum + rarity, 0));
  return ranks;
};

// A column at a time: a loop that does one thing is several times as fast as one over parts and products.

const addImpacts = (ranks: Uint32Array, payloads: Uint16Array, rarity: number): void => {
  for (let at = 0; at < ranks.length; at += 1) {
    ranks[at] = (ranks[at] as number) + rarity * ((payloads[at] as number) & 127);
  }
};

const addBeside = (
  ranks: Uint32Array,
  before: Uint16Array,
  payloads: Uint16Array,
  rarity: number,
): void => {
  for (let at = 0; at < ranks.length; at += 1) {
    const place = placeOf(payloads[at] as number);
    if (place > 1 && placeOf(before[at] as number) === place - 1) {
      ranks[at] = (ranks[at] as number) + besideCounts * rarity;
    }
  }
};

const addWhole = (ranks: Uint32Array, payloads: readonly Uint16Array[], bonus: number): void => {
  const [first] = payloads;
  if (!first) return;
  for (let at = 0; at < ranks.length; at += 1) {
    const payload = first[at] as number;
    if (placeOf(payload) !== 1 || nameLengthOf(payload) !== payloads.length) continue;
    const isWhole = payloads.every((column, part) => placeOf(column[at] as number) === part + 1);
    if (isWhole) ranks[at] = (ranks[at] as number) + bonus;
  }
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
