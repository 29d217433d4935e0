import { tables } from "../../schema/tables.ts";
import type { Tables } from "../../store/store.ts";
import { wordList } from "../postings/list-keys.ts";
import { decodeHead, formsOf } from "../postings/posting-list-header.ts";

/**
 * Finds the stems of words that differ only in accents and endings: `cafetière` and `cafetiere` have different stems.
 */
export type Homographs = (surface: string) => readonly string[];

/** Caches stem variants until a spelling is added to the catalogue or removed from it. */
export interface KeptHomographs {
  of(stored: Tables): Homographs;
}

/** The cache is emptied when it holds more words. */
const maxCachedWords = 10_000;

export const keepHomographs = (): KeptHomographs => {
  let cached:
    | { readonly version: number; readonly stemsByWord: Map<string, readonly string[]> }
    | undefined;
  return {
    of(stored) {
      const version = stored.get(tables.counters, "spellings") ?? 0;
      if (cached?.version !== version || cached.stemsByWord.size > maxCachedWords) {
        cached = { version, stemsByWord: new Map() };
      }
      const { stemsByWord } = cached;
      return (surface) => {
        const stems = stemsByWord.get(surface) ?? readStems(stored, surface);
        stemsByWord.set(surface, stems);
        return stems;
      };
    },
  };
};

const readStems = (stored: Tables, surface: string): readonly string[] => {
  const range = { start: [surface], end: [surface, "\u{10ffff}"] };
  const stems = [...stored.keys(tables.forms, range)].map(([, stem]) => stem);
  return isOwnStem(stored, surface) ? [surface, ...stems] : stems;
};

/** Whether a product has this exact word, with the word itself as its stem. */
const isOwnStem = (stored: Tables, surface: string): boolean => {
  const listKey = wordList(surface);
  const header = stored.get(tables.lists, listKey);
  return header !== undefined && formsOf(decodeHead(header), listKey).has(surface);
};
