import type { Ids } from "./postings/doc-ids.ts";
import { conjunction, type Source } from "./postings/posting-source.ts";
import { keepMarked, noPostings, unite } from "./postings/postings.ts";

/** Products that come into question where not all of a query has to match. */
export interface Candidates {
  /** How many the filters leave; infinite without filters. */
  left(): number;
  /** What is in any of the sources, and left by the filters; or all that these leave, where that is less. */
  of(sources: readonly Source[]): { readonly ids: Ids; readonly isAllLeft: boolean };
}

/** Products that are looked up in each filter sooner than these are read. */
const few = 10_000;

export const candidatesBehind = (filters: readonly Source[]): Candidates => {
  let known: Ids | undefined;
  const left = (): Ids => {
    known ??= conjunction(filters).ids;
    return known;
  };
  return {
    left: () => (filters.length === 0 ? Number.POSITIVE_INFINITY : left().length),
    of(sources) {
      const most = countIn(sources);
      if (most > Math.max(few, leastOf(filters)) && left().length <= most) {
        return { ids: left(), isAllLeft: true };
      }
      const all = sources.map((source) => source.all());
      let { ids } = all.length === 0 ? noPostings : unite(all, (one) => one);
      for (const filter of filters) {
        const marks = Uint8Array.from(filter.at(ids), (payload) => Number(payload !== 0));
        ids = keepMarked(ids, marks, countOf(marks));
      }
      return { ids, isAllLeft: false };
    },
  };
};

/** Products in some sources at most. */
export const countIn = (sources: readonly Source[]): number =>
  sources.reduce((sum, { count }) => sum + count, 0);

/** Of what is read to know what the filters leave; those that have to look at each product do not tell how many. */
const leastOf = (filters: readonly Source[]): number => {
  if (filters.length === 0) return Number.POSITIVE_INFINITY;
  const least = Math.min(...filters.map(({ count }) => count));
  return Number.isFinite(least) ? least : 0;
};

export const countOf = (marks: Uint8Array): number => {
  let count = 0;
  for (const mark of marks) count += mark;
  return count;
};
