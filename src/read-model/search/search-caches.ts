import { memoize } from "../../platform/memo.ts";
import type { ReadTables } from "../store/store.ts";
import { createPostingListCache, type PostingListCache } from "./postings/posting-list-cache.ts";
import { type CategoryTerms, createCategoryTermsCache } from "./query/category-terms.ts";
import { createSplitCache, type Splits } from "./query/split-cache.ts";
import { getLanguage } from "./text/language.ts";
import {
  createSpellingDictionaryCache,
  type SpellingDictionary,
} from "./text/spelling-dictionary.ts";
import { createStemVariantCache, type StemVariants } from "./text/stem-variants.ts";
import { buildThesaurus, type Synonym, type Thesaurus } from "./text/synonyms.ts";

/** Caches that one process keeps between searches. Entries are checked against the snapshot before use. */
export interface SearchCaches {
  readonly lists: PostingListCache;
  dictionary(stored: ReadTables): SpellingDictionary;
  stemVariants(stored: ReadTables): StemVariants;
  categoryTerms(stored: ReadTables): CategoryTerms;
  splits(stored: ReadTables): Splits;
  thesaurus(language: string | undefined): Thesaurus;
}

export const createSearchCaches = (synonyms: readonly Synonym[]): SearchCaches => ({
  lists: createPostingListCache(),
  dictionary: createSpellingDictionaryCache(),
  stemVariants: createStemVariantCache(),
  categoryTerms: createCategoryTermsCache(),
  splits: createSplitCache(),
  thesaurus: memoize((language: string | undefined) =>
    buildThesaurus(synonyms, getLanguage(language)),
  ),
});
