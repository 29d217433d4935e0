import { lazy } from "../../../platform/memo.ts";
import type { DocIds } from "../postings/doc-ids.ts";
import { pickIds, toIntersection } from "../postings/intersection.ts";
import type { PostingSource } from "../postings/posting-source.ts";
import { unionPostings } from "../postings/postings.ts";
import { intersectSources } from "../postings/source-intersection.ts";
import type { WeightedTerm } from "./relaxed-weights.ts";

/** Up to this many candidates, each is looked up in the filters, and no filter is read in full. */
const maxFilterLookups = 10_000;

export type RelaxedCandidates = ReturnType<typeof createCandidates>;

/** Finds the candidates of a relaxed match, in which not all terms have to match. */
export const createCandidates = (filters: readonly PostingSource[]) => {
  const readRemaining = lazy(() => intersectSources(filters).ids);
  return {
    /** Counts the products that pass all filters; infinite without filters. */
    countRemaining: (): number =>
      filters.length === 0 ? Number.POSITIVE_INFINITY : readRemaining().length,
    /**
     * Finds the products that have any of the terms and pass all filters; or all that pass the filters, where these are
     * fewer.
     */
    find(terms: readonly WeightedTerm[]): { readonly ids: DocIds; readonly isAllLeft: boolean } {
      const maxCount = totalCount(terms);
      const maxLookups = Math.max(maxFilterLookups, estimateFilterCost(filters));
      if (maxCount > maxLookups && readRemaining().length <= maxCount) {
        return { ids: readRemaining(), isAllLeft: true };
      }
      const lists = terms.map(({ source }) => source.all());
      const union = unionPostings(lists, (one) => one).ids;
      const ids = filters.reduce(
        (left, filter) => pickIds(left, toIntersection(filter.at(left)).indexes),
        union,
      );
      return { ids, isAllLeft: false };
    },
  };
};

/** Adds up the counts of terms: an upper bound of the products with any of them. */
export const totalCount = (terms: readonly WeightedTerm[]): number =>
  terms.reduce((sum, { source }) => sum + source.count, 0);

/**
 * Estimates the postings that are read to intersect the filters.
 * @returns 0 when no filter has a count, because each has to test every product
 */
const estimateFilterCost = (filters: readonly PostingSource[]): number => {
  if (filters.length === 0) return Number.POSITIVE_INFINITY;
  const smallest = Math.min(...filters.map(({ count }) => count));
  return Number.isFinite(smallest) ? smallest : 0;
};
