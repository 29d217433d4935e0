import type { FacetQuery, Facets, ProductFilters } from "../schema/queries.ts";
import { tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";
import { type CategoryTermsCache, createCategoryTermsCache } from "./category-terms.ts";
import { computeFacets } from "./facets.ts";
import { readCategoryParents } from "./filters.ts";
import { emptyIds } from "./postings/doc-ids.ts";
import { categoryKey } from "./postings/list-keys.ts";
import {
  createPostingListCache,
  openPostingList,
  type PostingListCache,
} from "./postings/posting-list.ts";
import { bySimilarity, findSimilarTerms } from "./resolve-terms.ts";
import {
  type ProductSearchContext,
  type QueryInterpretation,
  type SearchRequest,
  type SearchResult,
  searchProducts,
} from "./search-products.ts";
import { termSource } from "./term-query.ts";
import { maxEditsFor } from "./text/edit-distance.ts";
import {
  createSpellingDictionaryCache,
  type SpellingDictionaryCache,
} from "./text/spelling-dictionary.ts";
import { createStemVariantCache, type StemVariantCache } from "./text/stem-variants.ts";
import { getStemmer } from "./text/stemmer.ts";
import { buildThesaurus, type Synonym, type Thesaurus } from "./text/synonyms.ts";
import { tokenize } from "./text/tokenizer.ts";

export type { SearchResult } from "./search-products.ts";

/** Caches that one process keeps between searches. Entries are checked against the snapshot before use. */
export interface SearchCaches {
  readonly lists: PostingListCache;
  readonly dictionary: SpellingDictionaryCache;
  readonly stemVariants: StemVariantCache;
  readonly categoryTerms: CategoryTermsCache;
  thesaurus(language: string | undefined): Thesaurus;
}

export const createSearchCaches = (synonyms: readonly Synonym[]): SearchCaches => {
  const byLanguage = new Map<string, Thesaurus>();
  return {
    lists: createPostingListCache(),
    dictionary: createSpellingDictionaryCache(),
    stemVariants: createStemVariantCache(),
    categoryTerms: createCategoryTermsCache(),
    thesaurus(language = "en") {
      const thesaurus = byLanguage.get(language) ?? buildThesaurus(synonyms, getStemmer(language));
      byLanguage.set(language, thesaurus);
      return thesaurus;
    },
  };
};

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
  /**
   * Suggests words of the catalogue for query tokens without products, one edit further away than corrections. A
   * token that the catalogue has, or that was corrected, gets none.
   */
  suggestions(query: string): readonly string[];
}

export const createSearcher = (stored: ReadTables, caches: SearchCaches): Searcher => {
  const context = createContext(stored, caches);
  const find = memoize((request: SearchRequest, interpretation: QueryInterpretation | undefined) =>
    searchProducts(context, request, interpretation),
  );
  const facets = memoize((request: SearchRequest, withPrices: boolean) =>
    computeFacets(stored, find(request, undefined)?.ids() ?? emptyIds, { withPrices }),
  );
  return {
    find: (request, interpretation) => find(withoutPaging(request), interpretation),
    facets: (request, withPrices) => facets(withoutPaging(request), withPrices),
    suggestions: memoize((query: string) => suggestWords(context, query)),
  };
};

/** Memoizes a function by the JSON of its arguments. */
const memoize = <Args extends readonly unknown[], T>(make: (...args: Args) => T) => {
  const results = new Map<string, T>();
  return (...args: Args): T => {
    const key = JSON.stringify(args);
    if (!results.has(key)) results.set(key, make(...args));
    return results.get(key) as T;
  };
};

const createContext = (stored: ReadTables, caches: SearchCaches): ProductSearchContext => {
  const { lists, dictionary, thesaurus } = caches;
  const stemVariants = lazy(() => caches.stemVariants.get(stored));
  return {
    stored,
    listCache: lists,
    openCategoryList: memoize((id: number) => openPostingList(stored, lists, categoryKey(id))),
    dictionary: lazy(() => dictionary.get(stored)),
    stemVariants: (surface) => stemVariants()(surface),
    categoryTerms: lazy(() => caches.categoryTerms.get(stored)),
    parents: lazy(() => readCategoryParents(stored)),
    thesaurus,
  };
};

/** Memoizes a value that is computed at its first use. */
const lazy = <T>(make: () => T): (() => T) => {
  let computed: { readonly value: T } | undefined;
  return () => {
    computed ??= { value: make() };
    return computed.value;
  };
};

/** Removes the members of a request that only select a page. */
const withoutPaging = (request: SearchRequest): SearchRequest => {
  const { query, relax, inStockOnly, categoryId, brand, priceMin, priceMax } = request;
  const { ids, reference, gtin, url } = request;
  return {
    query,
    relax: query?.trim() ? relax : undefined,
    inStockOnly,
    categoryId,
    brand,
    priceMin,
    priceMax,
    ids,
    reference,
    gtin,
    url,
  } as SearchRequest;
};

/** Whether a query or a filter other than stock applies. Without one, a page is read from a stored index. */
export const isFiltered = ({ query, ...filters }: ProductFilters & { readonly query?: string }) =>
  (query?.trim() ?? "") !== "" ||
  filters.categoryId !== undefined ||
  filters.brand !== undefined ||
  filters.priceMin !== undefined ||
  filters.priceMax !== undefined ||
  filters.ids !== undefined ||
  filters.reference !== undefined ||
  filters.gtin !== undefined ||
  filters.url !== undefined;

/** Allows a suggestion one edit more than a correction. */
const oneEditMore = (token: string): number => Math.min(2, maxEditsFor(token) + 1);

const maxSuggestions = 5;

/** Limits the tokens that get suggestions: each scans a good part of the dictionary. */
const maxMissingTokens = 8;

const suggestWords = (context: ProductSearchContext, query: string): readonly string[] => {
  const language = context.stored.get(tables.settings, "settings")?.content?.language;
  const tokens = new Map(
    tokenize(query, getStemmer(language)).map((token) => [token.surface, token] as const),
  );
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
