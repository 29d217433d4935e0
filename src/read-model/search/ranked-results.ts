import { hasId, type Ids, placeAfter } from "./postings/doc-ids.ts";
import type { Payload } from "./postings/posting-codec.ts";
import type { Layers } from "./postings/posting-source.ts";
import { unite } from "./postings/postings.ts";
import { bestOf } from "./scoring.ts";

/** Products of one score. */
export interface Alike {
  readonly rank: number;
  /** Ascending ids, found lazily, because a group may have many more than a page needs. */
  readonly ids: Iterable<number>;
}

/** Position after which a page starts: a score, and an id among the products of that score. */
export interface Behind {
  readonly rank: number;
  readonly id: number;
}

export interface Best {
  /** Groups by descending score, with at least as many products as requested if there are so many. */
  readonly groups: readonly Alike[];
  /** Number of products after the start position. */
  readonly behind: number;
}

/** Products that match a query, with their scores. */
export interface Ranked {
  readonly count: number;
  /** Selects the best products, of all or after a position. */
  best(limit: number, from?: Behind): Best;
  /** Reads all ids, ascending. */
  ids(): Ids;
}

/**
 * Ranks products by score.
 * @param scores one for each id
 */
export const rankedOf = (ids: Ids, scores: Uint32Array): Ranked => ({
  count: ids.length,
  ids: () => ids,
  best(limit, from) {
    const afterIndex = from ? placeAfter(ids, from.id) : 0;
    const best = bestOf(scores, limit, from && { rank: from.rank, place: afterIndex });
    const groupsByScore = new Map<number, number[]>();
    for (const index of best.places) {
      const score = scores[index] as number;
      const id = ids[index] as number;
      const group = groupsByScore.get(score);
      if (group) group.push(id);
      else groupsByScore.set(score, [id]);
    }
    // Only the last score can have more products than `topK` returned.
    const lastScore = scores[best.places.at(-1) ?? -1];
    const groups = [...groupsByScore].map(([score, groupIds]): Alike => {
      if (score !== lastScore) return { rank: score, ids: groupIds };
      return {
        rank: score,
        ids: idsWithScore(ids, scores, score, from?.rank === score ? afterIndex : 0),
      };
    });
    return { groups, behind: best.behind };
  },
});

function* idsWithScore(ids: Ids, scores: Uint32Array, score: number, from = 0): Iterable<number> {
  for (let at = scores.indexOf(score, from); at !== -1; at = scores.indexOf(score, at + 1)) {
    yield ids[at] as number;
  }
}

/**
 * Ranks the products of a single term by their payloads. Few payloads differ, so their counts tell which can be among
 * the best, and no other product is read.
 */
export const rankedByPayload = (
  { base, over: overrides }: Layers,
  scoreOf: (payload: Payload) => number,
): Ranked => {
  const histogram = countPayloads({ base, over: overrides });
  const payloadsByScore = new Map<number, Set<Payload>>();
  let count = 0;
  for (const [payload, groupCount] of histogram) {
    count += groupCount;
    const score = scoreOf(payload);
    payloadsByScore.set(score, (payloadsByScore.get(score) ?? new Set()).add(payload));
  }
  const overScores = new Uint32Array(overrides.payloads.length);
  for (let at = 0; at < overScores.length; at += 1) {
    overScores[at] = scoreOf(overrides.payloads[at] as number);
  }
  const countProducts = (payloads: ReadonlySet<Payload>): number =>
    [...payloads].reduce((sum, payload) => sum + (histogram.get(payload) ?? 0), 0);
  const descending = [...payloadsByScore].sort(([a], [b]) => b - a);
  const readGroup = (score: number, payloads: ReadonlySet<Payload>, from: number) =>
    merge(
      exclude(base.idsWith(payloads, from), overrides.ids),
      idsWithScore(overrides.ids, overScores, score, placeAfter(overrides.ids, from - 1)),
    );
  /** Reads several small groups in one pass over the list. */
  const readGroups = (groups: readonly (readonly [number, ReadonlySet<Payload>])[]) => {
    const idsByScore = new Map<number, number[]>(groups.map(([score]) => [score, []]));
    base.eachWith(new Set(groups.flatMap(([, payloads]) => [...payloads])), (id, payload) => {
      if (!hasId(overrides.ids, id)) idsByScore.get(scoreOf(payload))?.push(id);
    });
    for (const [score, ids] of idsByScore) {
      for (const id of idsWithScore(overrides.ids, overScores, score)) ids.push(id);
      ids.sort((a, b) => a - b);
    }
    return idsByScore;
  };
  return {
    count,
    ids: () => unite([overrides, base.all()], (one) => one).ids,
    best(limit, from) {
      const selected: (readonly [number, ReadonlySet<Payload>])[] = [];
      let [afterCount, selectedCount, remainingInGroup] = [0, 0, 0];
      for (const [score, payloads] of descending) {
        if (from && score > from.rank) continue;
        // Only part of this group is after the start position. The products have to be read to count them.
        if (from?.rank === score)
          remainingInGroup = countIds(readGroup(score, payloads, from.id + 1));
        const groupCount = from?.rank === score ? remainingInGroup : countProducts(payloads);
        afterCount += groupCount;
        if (selectedCount < limit && groupCount > 0) selected.push([score, payloads]);
        selectedCount += groupCount;
      }
      const lastScore = selected.at(-1)?.[0];
      const fullGroups = selected.filter(([score]) => score !== lastScore && score !== from?.rank);
      const idsByScore =
        fullGroups.length > 0 ? readGroups(fullGroups) : new Map<number, number[]>();
      const groups = selected.map(
        ([score, payloads]): Alike => ({
          rank: score,
          ids:
            idsByScore.get(score) ??
            readGroup(score, payloads, from?.rank === score ? from.id + 1 : 0),
        }),
      );
      return { groups, behind: afterCount };
    },
  };
};

/** Work buffer: products by payload. Invariant: all zeros between two uses. */
const countByPayload = new Int32Array(0x8000);

/** Counts products by payload, with the overlay applied. */
const countPayloads = ({ base, over: overrides }: Layers): ReadonlyMap<Payload, number> => {
  const histogram = new Map<Payload, number>();
  const baseCounts = base.tally();
  for (const [payload, count] of baseCounts) countByPayload[payload] = count;
  for (const payload of base.at(overrides.ids))
    countByPayload[payload] = (countByPayload[payload] as number) - 1;
  for (const payload of overrides.payloads)
    countByPayload[payload] = (countByPayload[payload] as number) + 1;
  // Payload 0 stands for an id that is not in the list.
  countByPayload[0] = 0;
  const collect = (payload: Payload): void => {
    const count = countByPayload[payload] as number;
    if (count > 0) histogram.set(payload, count);
    countByPayload[payload] = 0;
  };
  for (const [payload] of baseCounts) collect(payload);
  for (const payload of overrides.payloads) collect(payload);
  return histogram;
};

function* exclude(ascending: Iterable<number>, excluded: Ids): Iterable<number> {
  let at = 0;
  for (const id of ascending) {
    while (at < excluded.length && (excluded[at] as number) < id) at += 1;
    if (excluded[at] !== id) yield id;
  }
}

function* merge(one: Iterable<number>, other: Iterable<number>): Iterable<number> {
  const iterator = other[Symbol.iterator]();
  let next = iterator.next();
  for (const id of one) {
    for (; !next.done && next.value < id; next = iterator.next()) yield next.value;
    yield id;
  }
  for (; !next.done; next = iterator.next()) yield next.value;
}

const countIds = (ids: Iterable<number>): number => {
  let count = 0;
  for (const _ of ids) count += 1;
  return count;
};
