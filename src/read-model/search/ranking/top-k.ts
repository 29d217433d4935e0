/** Position after which a page starts: a score, and an index among the products of that score. */
export interface AfterIndex {
  readonly score: number;
  /** First index that counts among products of this score. */
  readonly index: number;
}

export interface TopIndexes {
  /** Indexes by descending score, then ascending. */
  readonly indexes: Uint32Array;
  /** Number of products after the start position. */
  readonly afterCount: number;
}

/** Selects the indexes of the best scores, of all or after a position. */
export const topK = (scores: Uint32Array, limit: number, after?: AfterIndex): TopIndexes => {
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
