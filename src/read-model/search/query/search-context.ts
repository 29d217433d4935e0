import { lazy, memoize } from "../../../platform/memo.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { categoryKey } from "../postings/list-keys.ts";
import { openPostingList, type PostingList } from "../postings/posting-list.ts";
import type { SearchCaches, Splits } from "../search-caches.ts";
import { getLanguage } from "../text/language.ts";
import type { SpellingDictionary } from "../text/spelling-dictionary.ts";
import type { StemVariants } from "../text/stem-variants.ts";
import type { Thesaurus } from "../text/synonyms.ts";
import { getTokenFactory, type Token } from "../text/token.ts";
import { tokenize } from "../text/tokenizer.ts";
import type { CategoryTerms } from "./category-terms.ts";

/** What a search depends on in addition to the stored rows. */
export interface SearchView {
  /** Milliseconds since 1970: sales begin and end without an event. */
  readonly instant: number;
  /** ISO 639-1 code; undefined until the first event with the shop's settings. */
  readonly language: string | undefined;
}

export interface SearchContext extends SearchView {
  readonly stored: ReadTables;
  /**
   * Opens a posting list.
   * @returns undefined when no product is in it
   */
  readonly openList: (listKey: string) => PostingList | undefined;
  /**
   * Opens the list of products directly in a category. Memoized per snapshot, because the words of many searches name
   * thousands of categories.
   */
  readonly openCategoryList: (id: number) => PostingList | undefined;
  readonly dictionary: () => SpellingDictionary;
  readonly stemVariants: StemVariants;
  readonly categoryTerms: () => CategoryTerms;
  /** Maps each category to its parent. Invariant: parents precede their children. */
  readonly parents: () => ReadonlyMap<number, number | null>;
  readonly thesaurus: () => Thesaurus;
  readonly splits: () => Splits;
  readonly toTokens: (text: string) => readonly Token[];
  /** Makes a token of a word without case and accents. */
  readonly toToken: (word: string) => Token;
  /** Whether a token says nothing about a product in the shop's language. */
  readonly isStopWord: (token: Token) => boolean;
}

export const createSearchContext = (
  stored: ReadTables,
  caches: SearchCaches,
  { instant, language }: SearchView,
): SearchContext => {
  const openList = (listKey: string) => openPostingList(stored, caches.lists, listKey);
  const stemVariants = lazy(() => caches.stemVariants(stored));
  return {
    ...{ stored, instant, language },
    openList,
    openCategoryList: memoize((id: number) => openList(categoryKey(id))),
    dictionary: lazy(() => caches.dictionary(stored)),
    stemVariants: (surface) => stemVariants()(surface),
    categoryTerms: lazy(() => caches.categoryTerms(stored)),
    parents: lazy(() => readCategoryParents(stored)),
    splits: lazy(() => caches.splits(stored)),
    thesaurus: () => caches.thesaurus(language),
    toTokens: (text) => tokenize(text, getLanguage(language)),
    toToken: (word) => getTokenFactory(getLanguage(language))(word),
    isStopWord: ({ surface }) => getLanguage(language).stopWords().has(surface),
  };
};

const readCategoryParents = (stored: ReadTables): ReadonlyMap<number, number | null> =>
  new Map(
    (stored.get(tables.categoryOrder, "order") ?? []).map((id) => [
      id,
      stored.get(tables.categories, id)?.parentId ?? null,
    ]),
  );
