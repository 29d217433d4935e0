import type { DocIds } from "./postings/doc-ids.ts";
import { intersectSources, type PostingSource } from "./postings/posting-source.ts";
import { emptyPostings, filterByMask, unionPostings } from "./postings/postings.ts";

/** Finds the candidates of a relaxed match, in which not all terms have to match. */
export interface RelaxedCandidates {
  /** Counts the products that pass all filters; infinite without filters. */
  countRemaining(): number;
  /**
   * Finds the products that are in any source and pass all filters; or all that pass the filters, where these are
   * fewer.
   */
  find(sources: readonly PostingSource[]): { readonly ids: DocIds; readonly isAllLeft: boolean };
}

/** Up to this many candidates, each is looked up in the filters, and no filter is read in full. */
const maxFilterLookups = 10_000;

export const createCandidates = (filters: readonly PostingSource[]): RelaxedCandidates => {
  let remainingIds: DocIds | undefined;
  const readRemaining = (): DocIds => {
    remainingIds ??= intersectSources(filters).ids;
    return remainingIds;
  };
  return {
    countRemaining: () =>
      filters.length === 0 ? Number.POSITIVE_INFINITY : readRemaining().length,
    find(sources) {
      const maxCount = totalCount(sources);
      if (
        maxCount > Math.max(maxFilterLookups, estimateFilterCost(filters)) &&
        readRemaining().length <= maxCount
      ) {
        return { ids: readRemaining(), isAllLeft: true };
      }
      const lists = sources.map((source) => source.all());
      let { ids } = lists.length === 0 ? emptyPostings : unionPostings(lists, (one) => one);
      for (const filter of filters) {
        const marks = Uint8Array.from(filter.at(ids), (payload) => Number(payload !== 0));
        ids = filterByMask(ids, marks, countMarks(marks));
      }
      return { ids, isAllLeft: false };
    },
  };
};

/** Adds up the counts of sources: an upper bound of the products in any of them. */
export const totalCount = (sources: readonly PostingSource[]): number =>
  sources.reduce((sum, { count }) => sum + count, 0);

/**
 * Estimates the postings that are read to intersect the filters.
 * @returns 0 when no filter knows its count, because each has to test every product
 */
const estimateFilterCost = (filters: readonly PostingSource[]): number => {
  if (filters.length === 0) return Number.POSITIVE_INFINITY;
  const smallest = Math.min(...filters.map(({ count }) => count));
  return Number.isFinite(smallest) ? smallest : 0;
};

export const countMarks = (marks: Uint8Array): number => {
  let count = 0;
  for (const mark of marks) count += mark;
  return count;
};
