import { lazy, memoize } from "../../../platform/memo.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { categoryKey } from "../postings/list-keys.ts";
import { openPostingList } from "../postings/posting-list.ts";
import type { SearchCaches } from "../search-caches.ts";
import { getLanguage } from "../text/language.ts";
import { getTokenFactory, type Token } from "../text/token.ts";
import { tokenize } from "../text/tokenizer.ts";

/** What a search depends on in addition to the stored rows. */
export interface SearchView {
  /** Milliseconds since 1970: sales begin and end without an event. */
  readonly instant: number;
  /** ISO 639-1 code; undefined until the first event with the shop's settings. */
  readonly language: string | undefined;
}

export type SearchContext = ReturnType<typeof createSearchContext>;

export const createSearchContext = (
  stored: ReadTables,
  caches: SearchCaches,
  { instant, language: code }: SearchView,
) => {
  const language = lazy(() => getLanguage(code));
  const openList = (listKey: string) => openPostingList(stored, caches.lists, listKey);
  const stemVariants = lazy(() => caches.stemVariants(stored));
  return {
    stored,
    instant,
    language: code,
    allIds: lazy(() => caches.allIds(stored)),
    /**
     * Opens a posting list.
     * @returns undefined when no product is in it
     */
    openList,
    /**
     * Opens the list of products directly in a category. Memoized per snapshot, because the words of many searches name
     * thousands of categories.
     */
    openCategoryList: memoize((id: number) => openList(categoryKey(id))),
    dictionary: lazy(() => caches.dictionary(stored)),
    stemVariants: (surface: string) => stemVariants()(surface),
    categoryTerms: lazy(() => caches.categoryTerms(stored)),
    /** Maps each category to its parent. Invariant: parents precede their children. */
    parents: lazy(() => readCategoryParents(stored)),
    splits: lazy(() => caches.splits(stored)),
    thesaurus: () => caches.thesaurus(code),
    toTokens: (text: string): readonly Token[] => tokenize(text, language()),
    /** Makes a token of a word without case and accents. */
    toToken: (word: string): Token => getTokenFactory(language())(word),
    /** Whether a token says nothing about a product in the shop's language. */
    isStopWord: ({ surface }: Token): boolean => language().stopWords().has(surface),
  };
};

const readCategoryParents = (stored: ReadTables): ReadonlyMap<number, number | null> =>
  new Map(
    (stored.get(tables.categoryOrder, "order") ?? []).map((id) => [
      id,
      stored.get(tables.categories, id)?.parentId ?? null,
    ]),
  );
