import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { termKey } from "../postings/list-keys.ts";
import { decodeForms, decodeHeader } from "../postings/posting-list-header.ts";
import { cacheUntilCounted } from "../versioned-cache.ts";

/**
 * Finds the stems of words that differ only in accents and endings: `cafetière` and `cafetiere` have different stems.
 */
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
