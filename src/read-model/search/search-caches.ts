import { memoize } from "../../platform/memo.ts";
import type { ReadTables } from "../store/store.ts";
import { createPostingListCache, type PostingListCache } from "./postings/posting-list-cache.ts";
import { type CategoryTerms, createCategoryTermsCache } from "./query/category-terms.ts";
import { getLanguage } from "./text/language.ts";
import {
  createSpellingDictionaryCache,
  type SpellingDictionary,
} from "./text/spelling-dictionary.ts";
import { createStemVariantCache, type StemVariants } from "./text/stem-variants.ts";
import { buildThesaurus, type Synonym, type Thesaurus } from "./text/synonyms.ts";
import type { Token } from "./text/token.ts";
import { cacheUntilCounted } from "./versioned-cache.ts";

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
  splits: cacheUntilCounted("spellings", (): Splits => new Map()),
  thesaurus: memoize((language: string | undefined) =>
    buildThesaurus(synonyms, getLanguage(language)),
  ),
});

/** Parts of a word, each of which products have. */
export type Phrase = readonly Token[];

/** The phrases of each word that was split. */
export type Splits = Map<string, readonly Phrase[]>;
