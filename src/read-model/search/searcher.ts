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

/** What one process keeps between two searches: all of it is checked against the moment before it is used. */
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

/** What matches, best or not; undefined when `pinned` is of another query. */
export type Search = (asked: Asked, pinned?: Pinned) => Found | undefined;

/** What is searched for in one moment: what is asked for again there is not looked for again, be it under other names. */
export interface Searches {
  readonly find: Search;
  /** How what matches spreads. */
  facets(asked: FacetQuery, withPrices: boolean): Facets;
  /**
   * Words of the catalogue near those of a query that a search finds none for, one more error allowed than it forgives:
   * what is there, or was taken for another word, is not what is missing.
   */
  suggestions(query: string): readonly string[];
}

export const searchesIn = (stored: Tables, world: SearchWorld): Searches => {
  const moment = momentOf(stored, world);
  const find = remembered((asked: Asked, pinned: Pinned | undefined) =>
    findProducts(moment, asked, pinned),
  );
  const facets = remembered((asked: Asked, withPrices: boolean) =>
    facetsOf(stored, find(asked, undefined)?.ids() ?? noIds, { withPrices }),
  );
  return {
    find: (asked, pinned) => find(isolated(asked), pinned),
    facets: (asked, withPrices) => facets(isolated(asked), withPrices),
    suggestions: remembered((query: string) => suggestionsFor(moment, query)),
  };
};

/** Not again for what is given again. */
const remembered = <Given extends readonly unknown[], T>(make: (...given: Given) => T) => {
  const known = new Map<string, T>();
  return (...given: Given): T => {
    const key = JSON.stringify(given);
    if (!known.has(key)) known.set(key, make(...given));
    return known.get(key) as T;
  };
};

const momentOf = (stored: Tables, world: SearchWorld): FindMoment => {
  const { lists, dictionary, thesaurus } = world;
  const homographs = once(() => world.homographs.of(stored));
  return {
    stored,
    kept: lists,
    inCategory: remembered((id: number) => openList(stored, lists, categoryList(id))),
    dictionary: once(() => dictionary.of(stored)),
    homographs: (written) => homographs()(written),
    categoryWords: once(() => world.categoryWords.of(stored)),
    parents: once(() => parentsIn(stored)),
    thesaurus,
  };
};

/** Not before somebody asks, and not again for who asks again. */
const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/** Without what only says which stretch is shown. */
const isolated = (asked: Asked): Asked => {
  const { query, relax, inStockOnly, categoryId, brand, priceMin, priceMax } = asked;
  const { ids, reference, gtin, url } = asked;
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

/** Whether more than stock narrows the catalogue: if not, it is walked as it is stored. */
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

/** Typing errors that a suggestion may be away. */
const oneMore = (word: string): number => Math.min(2, errorsIn(word) + 1);

/** Most words a query that found nothing is answered with. */
const mostSuggestions = 5;

/** Words of a query that suggestions are looked for at most: each takes a look at a good part of the dictionary. */
const mostMissing = 8;

const suggestionsFor = (moment: FindMoment, query: string): readonly string[] => {
  const language = moment.stored.get(tables.settings, "settings")?.content?.language;
  const asked = new Map(
    wordsOf(query, stemmerOf(language)).map((word) => [word.written, word] as const),
  );
  const missing = [...asked.values()].filter((word) => wordSource(moment, word, false).count === 0);
  const near = missing.slice(0, mostMissing).flatMap((word) => {
    const words = wordsNear(moment, word, oneMore, mostSuggestions);
    return words[0] && words[0].errors <= errorsIn(word.written) ? [] : words;
  });
  const best = near.sort(nearestFirst);
  return [...new Set(best.map(({ written }) => written))].slice(0, mostSuggestions);
};
