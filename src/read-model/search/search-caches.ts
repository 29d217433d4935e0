import { memoize } from "../../platform/memo.ts";
import { createPostingListCache } from "./postings/posting-list-cache.ts";
import { createCategoryTermsCache } from "./query/category-terms.ts";
import { getLanguage } from "./text/language.ts";
import { createSpellingDictionaryCache } from "./text/spelling-dictionary.ts";
import { createStemVariantCache } from "./text/stem-variants.ts";
import { buildThesaurus, type Synonym } from "./text/synonyms.ts";
import type { Token } from "./text/token.ts";
import { cacheUntilCounted } from "./versioned-cache.ts";

export type SearchCaches = ReturnType<typeof createSearchCaches>;

/** Creates the caches that one process keeps between searches. Entries are checked against the snapshot before use. */
export const createSearchCaches = (synonyms: readonly Synonym[]) => ({
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
type Splits = Map<string, readonly Phrase[]>;
