import { memoize } from "../../platform/memo.ts";
import { tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";
import { readAllProductIds } from "./doc-values/doc-values-scan.ts";
import { termKey } from "./postings/list-keys.ts";
import { createPostingListCache } from "./postings/posting-list-cache.ts";
import { decodeForms, decodeHeader } from "./postings/posting-list-header.ts";
import { createCategoryTermsCache } from "./query/category-terms.ts";
import { getLanguage } from "./text/language.ts";
import { findPackedCandidates, packSpellings } from "./text/packed-spellings.ts";
import {
  filterCandidates,
  findNearest,
  type SpellingCandidates,
  type SpellingMatch,
} from "./text/spelling-candidates.ts";
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
  /** Ids of all visible products. Each has a page, so that `pages` changes with them. */
  allIds: cacheUntilCounted("pages", readAllProductIds),
  /** The phrases of each word that was split. */
  splits: cacheUntilCounted("spellings", () => new Map<string, readonly Phrase[]>()),
  thesaurus: memoize((language: string | undefined) =>
    buildThesaurus(synonyms, getLanguage(language)),
  ),
});

/** Parts of a word, each of which products have. */
export type Phrase = readonly Token[];

/** Searches all words of the catalogue that consist of letters. */
interface SpellingDictionary {
  findSimilar(word: string, maxEdits: number): readonly SpellingMatch[];
}

/** Some 1.5 million words exceed this; the dictionary is then read from LMDB at each search. */
const maxDictionaryBytes = 32 * 2 ** 20;

/** Creates a cache that is valid until a word is added to the catalogue or removed from it. */
export const createSpellingDictionaryCache = (
  maxBytes = maxDictionaryBytes,
): ((stored: ReadTables) => SpellingDictionary) => {
  const packCached = cacheUntilCounted("spellings", (stored) => packSpellings(stored, maxBytes));
  return (stored) => {
    const packed = packCached(stored);
    const candidates = packed ? findPackedCandidates(packed) : findStoredCandidates(stored);
    return { findSimilar: (word, maxEdits) => findNearest(candidates, word, maxEdits) };
  };
};

const findStoredCandidates =
  (stored: ReadTables): SpellingCandidates =>
  (...args) => {
    for (const [, block] of stored.entries(tables.spellings)) filterCandidates(block)(...args);
  };

/** Finds the stems of words that differ only in accents and endings: `cafetière` and `cafetiere` have different stems. */
type StemVariants = (surface: string) => readonly string[];

/** The cache is emptied when it holds more words. */
const maxCachedWords = 10_000;

/** Creates a cache that is valid until a spelling is added to the catalogue or removed from it. */
export const createStemVariantCache = (): ((stored: ReadTables) => StemVariants) => {
  const getCache = cacheUntilCounted("spellings", () => new Map<string, readonly string[]>());
  return (stored) => {
    const stemsByWord = getCache(stored);
    if (stemsByWord.size > maxCachedWords) stemsByWord.clear();
    return (surface) => {
      const stems = stemsByWord.get(surface) ?? readStems(stored, surface);
      stemsByWord.set(surface, stems);
      return stems;
    };
  };
};

const readStems = (stored: ReadTables, surface: string): readonly string[] => {
  const range = { start: [surface], end: [surface, "\u{10ffff}"] } as const;
  const stems = [...stored.keys(tables.stemForms, range)].map(([, stem]) => stem);
  return isOwnStem(stored, surface) ? [surface, ...stems] : stems;
};

/** Whether a product has this exact word, with the word itself as its stem. */
const isOwnStem = (stored: ReadTables, surface: string): boolean => {
  const listKey = termKey(surface);
  const header = stored.get(tables.postingLists, listKey);
  return header !== undefined && decodeForms(decodeHeader(header), listKey).has(surface);
};
