import { memoize } from "../../platform/memo.ts";
import type { FacetQuery, Facets } from "../schema/queries.ts";
import type { ReadTables } from "../store/store.ts";
import { computeFacets } from "./filters/facets.ts";
import { emptyIds } from "./postings/doc-ids.ts";
import type { QueryInterpretation } from "./query/interpretation.ts";
import { createSearchContext } from "./query/search-context.ts";
import type { SearchCaches } from "./search-caches.ts";
import { type SearchResult, searchProducts } from "./search-products.ts";
import { type SearchRequest, toRequestKey } from "./search-request.ts";
import { suggestWords } from "./suggestions.ts";

/**
 * Searches products.
 * @returns undefined when `interpretation` is of another query
 */
export type SearchFunction = (
  request: SearchRequest,
  interpretation?: QueryInterpretation,
) => SearchResult | undefined;

/** Searches one snapshot. Each result is memoized by its request, under any paging. */
export interface Searcher {
  readonly find: SearchFunction;
  /** Counts the matching products by facet value. */
  facets(request: FacetQuery, withPrices: boolean): Facets;
  /** Suggests words of the catalogue for query tokens without products. */
  suggestions(query: string): readonly string[];
}

/** @param instant time of the snapshot, milliseconds since 1970 */
export const createSearcher = (
  stored: ReadTables,
  caches: SearchCaches,
  instant: number,
): Searcher => {
  const context = createSearchContext(stored, caches, instant);
  const find: SearchFunction = memoize(
    (request, interpretation) => searchProducts(context, request, interpretation),
    (request, interpretation) => JSON.stringify([toRequestKey(request), interpretation]),
  );
  return {
    find,
    facets: memoize(
      (request, withPrices) =>
        computeFacets(stored, find(request)?.ids() ?? emptyIds, { withPrices, instant }),
      (request, withPrices) => `${withPrices} ${toRequestKey(request)}`,
    ),
    suggestions: memoize((query) => suggestWords(context, query)),
  };
};
