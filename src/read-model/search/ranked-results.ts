import { hasId, type Ids, placeAfter } from "./postings/doc-ids.ts";
import type { Payload } from "./postings/posting-codec.ts";
import type { Layers } from "./postings/posting-source.ts";
import { unite } from "./postings/postings.ts";
import { bestOf } from "./scoring.ts";

/** Products of one rank. */
export interface Alike {
  readonly rank: number;
  /** Ascending; found as they are asked for, as there may be many more than are wanted. */
  readonly ids: Iterable<number>;
}

/** Where a walk goes on: behind a rank, and behind an id among those that have it. */
export interface Behind {
  readonly rank: number;
  readonly id: number;
}

export interface Best {
  /** The greatest rank first; together so many products as were wanted, or more. */
  readonly groups: readonly Alike[];
  /** How many products there are to choose from. */
  readonly behind: number;
}

/** What matches a query, with the rank of each. */
export interface Ranked {
  readonly count: number;
  /** The best of all, or of those behind one. */
  best(most: number, from?: Behind): Best;
  /** All of them, ascending. */
  ids(): Ids;
}

/** @param ranks of each id */
export const rankedOf = (ids: Ids, ranks: Uint32Array): Ranked => ({
  count: ids.length,
  ids: () => ids,
  best(most, from) {
    const behind = from && { rank: from.rank, place: placeAfter(ids, from.id) };
    const best = bestOf(ranks, most, behind);
    const known = new Map<number, number[]>();
    for (const place of best.places) {
      const rank = ranks[place] as number;
      const id = ids[place] as number;
      const group = known.get(rank);
      if (group) group.push(id);
      else known.set(rank, [id]);
    }
    // Only of the last rank there can be more than are among the best.
    const last = ranks[best.places.at(-1) ?? -1];
    const groups = [...known].map(([rank, among]) => {
      if (rank !== last) return { rank, ids: among };
      return { rank, ids: alike(ids, ranks, rank, from?.rank === rank ? behind?.place : 0) };
    });
    return { groups, behind: best.behind };
  },
});

function* alike(ids: Ids, ranks: Uint32Array, rank: number, from = 0): Iterable<number> {
  for (let at = ranks.indexOf(rank, from); at !== -1; at = ranks.indexOf(rank, at + 1)) {
    yield ids[at] as number;
  }
}

/**
 * What matches a single word. Its rank follows from the payload, and of these there are few: counting them tells which
 * can be among the best, so that no other product is looked at.
 */
export const rankedByPayload = (
  { base, over }: Layers,
  rankOf: (payload: Payload) => number,
): Ranked => {
  const tallies = tally({ base, over });
  const ranks = new Map<number, Set<Payload>>();
  let count = 0;
  for (const [payload, products] of tallies) {
    count += products;
    const rank = rankOf(payload);
    ranks.set(rank, (ranks.get(rank) ?? new Set()).add(payload));
  }
  const overRanks = new Uint32Array(over.payloads.length);
  for (let at = 0; at < overRanks.length; at += 1) {
    overRanks[at] = rankOf(over.payloads[at] as number);
  }
  const productsOf = (payloads: ReadonlySet<Payload>): number =>
    [...payloads].reduce((sum, payload) => sum + (tallies.get(payload) ?? 0), 0);
  const descending = [...ranks].sort(([a], [b]) => b - a);
  const idsOfRank = (rank: number, payloads: ReadonlySet<Payload>, from: number) =>
    merged(
      without(base.idsWith(payloads, from), over.ids),
      alike(over.ids, overRanks, rank, placeAfter(over.ids, from - 1)),
    );
  /** Of some groups that together are few, in one pass. */
  const idsOfRanks = (groups: readonly (readonly [number, ReadonlySet<Payload>])[]) => {
    const found = new Map<number, number[]>(groups.map(([rank]) => [rank, []]));
    base.eachWith(new Set(groups.flatMap(([, payloads]) => [...payloads])), (id, payload) => {
      if (!hasId(over.ids, id)) found.get(rankOf(payload))?.push(id);
    });
    for (const [rank, ids] of found) {
      for (const id of alike(over.ids, overRanks, rank)) ids.push(id);
      ids.sort((a, b) => a - b);
    }
    return found;
  };
  return {
    count,
    ids: () => unite([over, base.all()], (one) => one).ids,
    best(most, from) {
      const wanted: (readonly [number, ReadonlySet<Payload>])[] = [];
      let [behind, taken, begun] = [0, 0, 0];
      for (const [rank, payloads] of descending) {
        if (from && rank > from.rank) continue;
        // Of the rank where the walk stands some are behind, and only looking at them tells how many.
        if (from?.rank === rank) begun = lengthOf(idsOfRank(rank, payloads, from.id + 1));
        const products = from?.rank === rank ? begun : productsOf(payloads);
        behind += products;
        if (taken < most && products > 0) wanted.push([rank, payloads]);
        taken += products;
      }
      const last = wanted.at(-1)?.[0];
      const upper = wanted.filter(([rank]) => rank !== last && rank !== from?.rank);
      const known = upper.length > 0 ? idsOfRanks(upper) : new Map<number, number[]>();
      const groups = wanted.map(([rank, payloads]) => ({
        rank,
        ids: known.get(rank) ?? idsOfRank(rank, payloads, from?.rank === rank ? from.id + 1 : 0),
      }));
      return { groups, behind };
    },
  };
};

/** By payload, the products of a list; zeros but while they are added up. */
const products = new Int32Array(0x8000);

/** How many products have each payload that any has. */
const tally = ({ base, over }: Layers): ReadonlyMap<Payload, number> => {
  const tallies = new Map<Payload, number>();
  const known = base.tally();
  for (const [payload, count] of known) products[payload] = count;
  for (const payload of base.at(over.ids)) products[payload] = (products[payload] as number) - 1;
  for (const payload of over.payloads) products[payload] = (products[payload] as number) + 1;
  // Of what is not in the list there is no product.
  products[0] = 0;
  const take = (payload: Payload): void => {
    const count = products[payload] as number;
    if (count > 0) tallies.set(payload, count);
    products[payload] = 0;
  };
  for (const [payload] of known) take(payload);
  for (const payload of over.payloads) take(payload);
  return tallies;
};

function* without(ascending: Iterable<number>, out: Ids): Iterable<number> {
  let at = 0;
  for (const id of ascending) {
    while (at < out.length && (out[at] as number) < id) at += 1;
    if (out[at] !== id) yield id;
  }
}

function* merged(one: Iterable<number>, other: Iterable<number>): Iterable<number> {
  const rest = other[Symbol.iterator]();
  let ahead = rest.next();
  for (const id of one) {
    for (; !ahead.done && ahead.value < id; ahead = rest.next()) yield ahead.value;
    yield id;
  }
  for (; !ahead.done; ahead = rest.next()) yield ahead.value;
}

const lengthOf = (ids: Iterable<number>): number => {
  let length = 0;
  for (const _ of ids) length += 1;
  return length;
};
