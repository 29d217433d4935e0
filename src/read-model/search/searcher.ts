import type { FacetQuery, Facets, ProductFilters } from "../reader/reader.ts";
import { tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";
import { type KeptCategoryWords, keepCategoryWords } from "./category-terms.ts";
import { facetsOf } from "./facets.ts";
import { parentsIn } from "./filters.ts";
import { noIds } from "./postings/doc-ids.ts";
import { categoryList } from "./postings/list-keys.ts";
import { type KeptLists, keepLists, openList } from "./postings/posting-list.ts";
import { nearestFirst, wordsNear } from "./resolve-terms.ts";
import {
  type Asked,
  type FindMoment,
  type Found,
  findProducts,
  type Pinned,
} from "./search-products.ts";
import { wordSource } from "./term-query.ts";
import { errorsIn } from "./text/edit-distance.ts";
import { type KeptDictionary, keepDictionary } from "./text/spelling-dictionary.ts";
import { type KeptHomographs, keepHomographs } from "./text/stem-variants.ts";
import { stemmerOf } from "./text/stemmer.ts";
import { type Synonym, type Thesaurus, thesaurusOf } from "./text/synonyms.ts";
import { wordsOf } from "./text/tokenizer.ts";

export type { Found } from "./search-products.ts";

/** Caches that one process keeps between searches. Entries are checked against the snapshot before use. */
export interface SearchWorld {
  readonly lists: KeptLists;
  readonly dictionary: KeptDictionary;
  readonly homographs: KeptHomographs;
  readonly categoryWords: KeptCategoryWords;
  thesaurus(language: string | undefined): Thesaurus;
}

export const openSearchWorld = (synonyms: readonly Synonym[]): SearchWorld => {
  const byLanguage = new Map<string, Thesaurus>();
  return {
    lists: keepLists(),
    dictionary: keepDictionary(),
    homographs: keepHomographs(),
    categoryWords: keepCategoryWords(),
    thesaurus(language = "en") {
      const thesaurus = byLanguage.get(language) ?? thesaurusOf(synonyms, stemmerOf(language));
      byLanguage.set(language, thesaurus);
      return thesaurus;
    },
  };
};

/**
 * Searches products.
 * @returns undefined when `interpretation` is of another query
 */
export type Search = (request: Asked, interpretation?: Pinned) => Found | undefined;

/** Searches one snapshot. Each result is memoized by its request, under any paging. */
export interface Searches {
  readonly find: Search;
  /** Counts the matching products by facet value. */
  facets(request: FacetQuery, withPrices: boolean): Facets;
  /**
   * Suggests words of the catalogue for query tokens without products, one edit further away than corrections. A
   * token that the catalogue has, or that was corrected, gets none.
   */
  suggestions(query: string): readonly string[];
}

export const searchesIn = (stored: Tables, caches: SearchWorld): Searches => {
  const context = createContext(stored, caches);
  const find = memoize((request: Asked, interpretation: Pinned | undefined) =>
    findProducts(context, request, interpretation),
  );
  const facets = memoize((request: Asked, withPrices: boolean) =>
    facetsOf(stored, find(request, undefined)?.ids() ?? noIds, { withPrices }),
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

const createContext = (stored: Tables, caches: SearchWorld): FindMoment => {
  const { lists, dictionary, thesaurus } = caches;
  const stemVariants = lazy(() => caches.homographs.of(stored));
  return {
    stored,
    kept: lists,
    inCategory: memoize((id: number) => openList(stored, lists, categoryList(id))),
    dictionary: lazy(() => dictionary.of(stored)),
    homographs: (surface) => stemVariants()(surface),
    categoryWords: lazy(() => caches.categoryWords.of(stored)),
    parents: lazy(() => parentsIn(stored)),
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
const withoutPaging = (request: Asked): Asked => {
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
  } as Asked;
};

/** Whether a query or a filter other than stock applies. Without one, a page is read from a stored index. */
export const isNarrowed = ({ query, ...filters }: ProductFilters & { readonly query?: string }) =>
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
const oneEditMore = (token: string): number => Math.min(2, errorsIn(token) + 1);

const maxSuggestions = 5;

/** Limits the tokens that get suggestions: each scans a good part of the dictionary. */
const maxMissingTokens = 8;

const suggestWords = (context: FindMoment, query: string): readonly string[] => {
  const language = context.stored.get(tables.settings, "settings")?.content?.language;
  const tokens = new Map(
    wordsOf(query, stemmerOf(language)).map((token) => [token.written, token] as const),
  );
  const missing = [...tokens.values()].filter(
    (token) => wordSource(context, token, false).count === 0,
  );
  const similar = missing.slice(0, maxMissingTokens).flatMap((token) => {
    const words = wordsNear(context, token, oneEditMore, maxSuggestions);
    return words[0] && words[0].errors <= errorsIn(token.written) ? [] : words;
  });
  const sorted = similar.sort(nearestFirst);
  return [...new Set(sorted.map(({ written: surface }) => surface))].slice(0, maxSuggestions);
};
