import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { cacheUntilCounted } from "../versioned-cache.ts";
import { findPackedCandidates, packSpellings } from "./packed-spellings.ts";
import {
  filterCandidates,
  findNearest,
  type SpellingCandidates,
  type SpellingMatch,
} from "./spelling-candidates.ts";

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
