import { type DocIds, indexAfter } from "../postings/doc-ids.ts";

interface ScoreGroup {
  readonly score: number;
  /** Ascending ids, found lazily, because a group may have many more than a page needs. */
  readonly ids: Iterable<number>;
}

/** Position after which a page starts: a score, and an id among the products of that score. */
interface AfterId {
  readonly score: number;
  readonly id: number;
}

export type RankedResults = ReturnType<typeof rankByScore>;

/**
 * Ranks products that match a query by score.
 * @param scores one for each id
 */
export const rankByScore = (ids: DocIds, scores: Uint32Array) => ({
  ids,
  /**
   * Selects the best products, of all or after a position.
   * @returns groups by descending score, with at least as many products as requested if there are so many, and the number of products
   *   after the position
   */
  selectTop(limit: number, from?: AfterId) {
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

interface AfterIndex {
  readonly score: number;
  /** First index that counts among products of this score. */
  readonly index: number;
}

/**
 * Selects the indexes of the best scores, of all or after a position.
 * @returns indexes by descending score, then ascending, and the number of products after the position
 */
const topK = (scores: Uint32Array, limit: number, after?: AfterIndex) => {
  const heap = new Uint32Array(Math.min(limit, scores.length));
  const compare = compareWorstFirst(scores);
  let [size, afterCount] = [0, 0];
  // Only a score above the worst in the heap is inserted, and soon few are.
  let worstScore = heap.length === 0 ? Number.POSITIVE_INFINITY : -1;
  for (let at = 0; at < scores.length; at += 1) {
    const score = scores[at] as number;
    if (after && isUpTo(after, score, at)) continue;
    afterCount += 1;
    if (score <= worstScore) continue;
    if (size === heap.length) replaceWorst(heap, at, compare);
    else {
      heap[size++] = at;
      if (size === heap.length) heap.sort(compare);
    }
    if (size === heap.length) worstScore = scores[heap[0] as number] as number;
  }
  const indexes = heap.subarray(0, size).sort((a, b) => compare(b, a));
  return { indexes, afterCount };
};

const isUpTo = (after: AfterIndex, score: number, at: number): boolean =>
  score > after.score || (score === after.score && at < after.index);

type Compare = (a: number, b: number) => number;

const compareWorstFirst =
  (scores: Uint32Array): Compare =>
  (a, b) =>
    (scores[a] as number) - (scores[b] as number) || b - a;

/** Replaces the worst index, which is the root of the heap. */
const replaceWorst = (heap: Uint32Array, index: number, compare: Compare): void => {
  let at = 0;
  for (;;) {
    const child = findWorseChild(heap, at, compare);
    if (child === undefined || compare(heap[child] as number, index) >= 0) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = index;
};

const findWorseChild = (heap: Uint32Array, at: number, compare: Compare): number | undefined => {
  const left = 2 * at + 1;
  const right = left + 1;
  if (right < heap.length && compare(heap[right] as number, heap[left] as number) < 0) return right;
  return left < heap.length ? left : undefined;
};
