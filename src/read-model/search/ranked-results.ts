import { containsId, type DocIds, indexAfter } from "./postings/doc-ids.ts";
import type { Payload } from "./postings/posting-codec.ts";
import type { Overlay } from "./postings/posting-source.ts";
import { unionPostings } from "./postings/postings.ts";
import { topK } from "./scoring.ts";

/** Products of one score. */
export interface ScoreGroup {
  readonly score: number;
  /** Ascending ids, found lazily, because a group may have many more than a page needs. */
  readonly ids: Iterable<number>;
}

/** Position after which a page starts: a score, and an id among the products of that score. */
export interface AfterId {
  readonly score: number;
  readonly id: number;
}

export interface TopGroups {
  /** Groups by descending score, with at least as many products as requested if there are so many. */
  readonly groups: readonly ScoreGroup[];
  /** Number of products after the start position. */
  readonly afterCount: number;
}

/** Products that match a query, with their scores. */
export interface RankedResults {
  readonly count: number;
  /** Selects the best products, of all or after a position. */
  selectTop(limit: number, from?: AfterId): TopGroups;
  /** Reads all ids, ascending. */
  ids(): DocIds;
}

/**
 * Ranks products by score.
 * @param scores one for each id
 */
export const rankByScore = (ids: DocIds, scores: Uint32Array): RankedResults => ({
  count: ids.length,
  ids: () => ids,
  selectTop(limit, from) {
    const afterIndex = from ? indexAfter(ids, from.id) : 0;
    const best = topK(scores, limit, from && { score: from.score, index: afterIndex });
    const groupsByScore = new Map<number, number[]>();
    for (const index of best.indexes) {
      const score = scores[index] as number;
      const id = ids[index] as number;
      const group = groupsByScore.get(score);
      if (group) group.push(id);
      else groupsByScore.set(score, [id]);
    }
    // Only the last score can have more products than `topK` returned.
    const lastScore = scores[best.indexes.at(-1) ?? -1];
    const groups = [...groupsByScore].map(([score, groupIds]): ScoreGroup => {
      if (score !== lastScore) return { score, ids: groupIds };
      return {
        score,
        ids: idsWithScore(ids, scores, score, from?.score === score ? afterIndex : 0),
      };
    });
    return { groups, afterCount: best.afterCount };
  },
});

function* idsWithScore(
  ids: DocIds,
  scores: Uint32Array,
  score: number,
  from = 0,
): Iterable<number> {
  for (let at = scores.indexOf(score, from); at !== -1; at = scores.indexOf(score, at + 1)) {
    yield ids[at] as number;
  }
}

/**
 * Ranks the products of a single term by their payloads. Few payloads differ, so their counts tell which can be among
 * the best, and no other product is read.
 */
export const rankSingleTerm = (
  { base, overrides }: Overlay,
  scoreOf: (payload: Payload) => number,
): RankedResults => {
  const histogram = countPayloads({ base, overrides });
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
      idsWithScore(overrides.ids, overScores, score, indexAfter(overrides.ids, from - 1)),
    );
  /** Reads several small groups in one pass over the list. */
  const readGroups = (groups: readonly (readonly [number, ReadonlySet<Payload>])[]) => {
    const idsByScore = new Map<number, number[]>(groups.map(([score]) => [score, []]));
    base.forEachWith(new Set(groups.flatMap(([, payloads]) => [...payloads])), (id, payload) => {
      if (!containsId(overrides.ids, id)) idsByScore.get(scoreOf(payload))?.push(id);
    });
    for (const [score, ids] of idsByScore) {
      for (const id of idsWithScore(overrides.ids, overScores, score)) ids.push(id);
      ids.sort((a, b) => a - b);
    }
    return idsByScore;
  };
  return {
    count,
    ids: () => unionPostings([overrides, base.all()], (one) => one).ids,
    selectTop(limit, from) {
      const selected: (readonly [number, ReadonlySet<Payload>])[] = [];
      let [afterCount, selectedCount, remainingInGroup] = [0, 0, 0];
      for (const [score, payloads] of descending) {
        if (from && score > from.score) continue;
        // Only part of this group is after the start position. The products have to be read to count them.
        if (from?.score === score)
          remainingInGroup = countIds(readGroup(score, payloads, from.id + 1));
        const groupCount = from?.score === score ? remainingInGroup : countProducts(payloads);
        afterCount += groupCount;
        if (selectedCount < limit && groupCount > 0) selected.push([score, payloads]);
        selectedCount += groupCount;
      }
      const lastScore = selected.at(-1)?.[0];
      const fullGroups = selected.filter(([score]) => score !== lastScore && score !== from?.score);
      const idsByScore =
        fullGroups.length > 0 ? readGroups(fullGroups) : new Map<number, number[]>();
      const groups = selected.map(
        ([score, payloads]): ScoreGroup => ({
          score,
          ids:
            idsByScore.get(score) ??
            readGroup(score, payloads, from?.score === score ? from.id + 1 : 0),
        }),
      );
      return { groups, afterCount };
    },
  };
};

/** Work buffer: products by payload. Invariant: all zeros between two uses. */
const countByPayload = new Int32Array(0x8000);

/** Counts products by payload, with the overlay applied. */
const countPayloads = ({ base, overrides }: Overlay): ReadonlyMap<Payload, number> => {
  const histogram = new Map<Payload, number>();
  const baseCounts = base.payloadHistogram();
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

function* exclude(ascending: Iterable<number>, excluded: DocIds): Iterable<number> {
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
