import { type DocIds, indexAfter } from "../postings/doc-ids.ts";
import { topK } from "./top-k.ts";

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
  readonly ids: DocIds;
  /** Selects the best products, of all or after a position. */
  selectTop(limit: number, from?: AfterId): TopGroups;
}

/**
 * Ranks products by score.
 * @param scores one for each id
 */
export const rankByScore = (ids: DocIds, scores: Uint32Array): RankedResults => ({
  ids,
  selectTop(limit, from) {
    const afterIndex = from ? indexAfter(ids, from.id) : 0;
    const after = from && { score: from.score, index: afterIndex };
    const { indexes, afterCount } = topK(scores, limit, after);
    const idsByScore = new Map<number, number[]>();
    for (const index of indexes) {
      const score = scores[index] as number;
      const group = idsByScore.get(score) ?? [];
      idsByScore.set(score, group);
      group.push(ids[index] as number);
    }
    // Only the last score can have more products than `topK` returned.
    const lastScore = scores[indexes.at(-1) ?? -1];
    const firstIndex = from?.score === lastScore ? afterIndex : 0;
    const groups = [...idsByScore].map(([score, groupIds]): ScoreGroup => {
      const isLast = score === lastScore;
      return { score, ids: isLast ? idsWithScore(ids, scores, score, firstIndex) : groupIds };
    });
    return { groups, afterCount };
  },
});

/** Finds the ids of one score lazily, from an index on. */
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
