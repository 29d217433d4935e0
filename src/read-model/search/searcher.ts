import { memoize } from "../../platform/memo.ts";
import {
  type FacetQuery,
  type Facets,
  filterNames,
  type SearchRequest,
} from "../schema/queries.ts";
import type { ReadTables } from "../store/store.ts";
import { computeFacets } from "./filters/facets.ts";
import { emptyIds } from "./postings/doc-ids.ts";
import type { QueryInterpretation } from "./query/interpretation.ts";
import {
  createSearchContext,
  type SearchContext,
  type SearchView,
} from "./query/search-context.ts";
import { bySimilarity, findSimilarTerms } from "./query/similar-terms.ts";
import { termSource } from "./query/term-source.ts";
import type { SearchCaches } from "./search-caches.ts";
import { type SearchResult, searchProducts } from "./search-products.ts";
import { maxEditsFor } from "./text/edit-distance.ts";

/**
 * Searches products.
 * @returns undefined when `interpretation` is of another query
 */
export type SearchFunction = (
  request: SearchRequest,
  interpretation?: QueryInterpretation,
) => SearchResult | undefined;

export type Searcher = ReturnType<typeof createSearcher>;

/** Searches one snapshot. Each result is memoized by its request, under any paging. */
export const createSearcher = (stored: ReadTables, caches: SearchCaches, view: SearchView) => {
  const context = createSearchContext(stored, caches, view);
  const find: SearchFunction = memoize(
    (request, interpretation) => searchProducts(context, request, interpretation),
    (request, interpretation) => JSON.stringify([toRequestKey(request), interpretation]),
  );
  return {
    find,
    /** Counts the matching products by facet value. */
    facets: memoize(
      (request: FacetQuery): Facets =>
        computeFacets(stored, find(request)?.ids ?? emptyIds, {
          withPrices: !request.hidesPrices,
          instant: view.instant,
        }),
      (request) => `${request.hidesPrices} ${toRequestKey(request)}`,
    ),
    suggestions: memoize((query: string) => suggestWords(context, query)),
  };
};

const maxSuggestions = 5;

/** Limits the tokens that get suggestions: each scans a good part of the dictionary. */
const maxMissingTokens = 8;

/**
 * Suggests words of the catalogue for query tokens without products, one edit further away than corrections. A token
 * that the catalogue has, or that was corrected, gets none.
 */
const suggestWords = (context: SearchContext, query: string): readonly string[] => {
  const tokens = new Map(context.toTokens(query).map((token) => [token.surface, token]));
  const missing = [...tokens.values()].filter(
    (token) => termSource(context, token, false).count === 0,
  );
  const similar = missing.slice(0, maxMissingTokens).flatMap((token) => {
    const words = findSimilarTerms(context, token, oneEditMore, maxSuggestions);
    return words[0] && words[0].edits <= maxEditsFor(token.surface) ? [] : words;
  });
  const sorted = similar.sort(bySimilarity);
  return [...new Set(sorted.map(({ surface }) => surface))].slice(0, maxSuggestions);
};

/** Allows a suggestion one edit more than a correction. */
const oneEditMore = (token: string): number => Math.min(2, maxEditsFor(token) + 1);

const hasQuery = ({ query }: SearchRequest): boolean => (query?.trim() ?? "") !== "";

/** Builds a key that is equal for all requests with the same matches, under any paging. */
const toRequestKey = (request: SearchRequest): string => {
  const { query, relax } = request;
  const filters = filterNames.map((name) => request[name]);
  return JSON.stringify(hasQuery(request) ? [filters, query, relax] : [filters]);
};

/** Whether a query or a filter other than stock applies. Without one, a page is read from a stored index. */
export const isFiltered = (request: SearchRequest): boolean =>
  hasQuery(request) ||
  filterNames.some((name) => name !== "inStockOnly" && request[name] !== undefined);
