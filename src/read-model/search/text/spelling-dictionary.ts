import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { popcount } from "../bits.ts";
import { createEditDistance, letterMask } from "./edit-distance.ts";

/** A word of the catalogue that is near a mistyped one. */
export interface SpellingMatch {
  readonly surface: string;
  /** Edit distance between the two. */
  readonly edits: number;
}

/** Searches all words of the catalogue that consist of letters. */
export interface SpellingDictionary {
  /** Finds words within `maxEdits`, the nearest first, then by their text. */
  findSimilar(word: string, maxEdits: number): readonly SpellingMatch[];
}

/** Caches the dictionary until a word is added to the catalogue or removed from it. */
export interface SpellingDictionaryCache {
  get(stored: ReadTables): SpellingDictionary;
}

/** Some 1.5 million words exceed this; the dictionary is then read from LMDB at each search. */
const maxDictionaryBytes = 32 * 2 ** 20;

export const createSpellingDictionaryCache = (
  maxBytes = maxDictionaryBytes,
): SpellingDictionaryCache => {
  let cached: { readonly version: number; readonly dictionary: SpellingDictionary } | undefined;
  return {
    get(stored) {
      const version = stored.get(tables.counters, "spellings") ?? 0;
      if (cached?.version !== version) {
        // Releases the old dictionary first, because memory has to hold only one.
        cached = undefined;
        const packed = packSpellings(stored, maxBytes);
        const getCandidates = packed
          ? () => findPackedCandidates(packed)
          : () => findStoredCandidates(stored);
        cached = {
          version,
          dictionary: {
            findSimilar: (word, maxEdits) => findNearest(getCandidates(), word, maxEdits),
          },
        };
      }
      return cached.dictionary;
    },
  };
};

/** Visits the spellings whose length and letters are near those of a word. */
export type SpellingCandidates = (
  word: string,
  maxEdits: number,
  visit: (spelling: string) => void,
) => void;

/** Selects the candidates within `maxEdits`, the nearest first, then by their text. */
export const findNearest = (
  candidates: SpellingCandidates,
  word: string,
  maxEdits: number,
): readonly SpellingMatch[] => {
  const distances = new Map<string, number>();
  const computeDistance = createEditDistance(word);
  candidates(word, maxEdits, (spelling) => {
    const surface = getSurface(spelling);
    const edits = computeDistance(surface, maxEdits);
    if (edits <= maxEdits) distances.set(surface, edits);
  });
  return [...distances]
    .map(([surface, edits]): SpellingMatch => ({ surface, edits }))
    .sort((a, b) => a.edits - b.edits || (a.surface < b.surface ? -1 : 1));
};

/** All spellings in one buffer, the short ones first. An object for each would take three times the memory. */
interface PackedSpellings {
  readonly texts: Buffer;
  /** Start of each spelling, and the end of the last one. */
  readonly starts: Uint32Array;
  readonly letterMasks: Uint32Array;
  /** For each length, the index of the first spelling that is as long or longer. */
  readonly firstOfLength: Uint32Array;
}

/** Bytes of a spelling in addition to its text. */
const bytesPerSpelling = 8;

/**
 * Packs all spellings.
 * @returns undefined when they take more than `maxBytes`
 */
const packSpellings = (stored: ReadTables, maxBytes: number): PackedSpellings | undefined => {
  const byLength: string[][] = [];
  let [count, bytes] = [0, 0];
  for (const [, block] of stored.entries(tables.spellings)) {
    for (const spelling of block) {
      const { length } = getSurface(spelling);
      byLength[length] ??= [];
      byLength[length].push(spelling);
      bytes += Buffer.byteLength(spelling);
    }
    count += block.length;
    if (bytes + count * bytesPerSpelling > maxBytes) return undefined;
  }
  const texts = Buffer.allocUnsafeSlow(bytes);
  const starts = new Uint32Array(count + 1);
  const letterMasks = new Uint32Array(count);
  const firstOfLength = new Uint32Array(byLength.length + 1);
  let [at, end] = [0, 0];
  for (let length = 0; length < byLength.length; length += 1) {
    firstOfLength[length] = at;
    for (const spelling of byLength[length] ?? []) {
      starts[at] = end;
      letterMasks[at++] = letterMask(getSurface(spelling));
      end += texts.write(spelling, end);
    }
  }
  firstOfLength[byLength.length] = at;
  starts[at] = end;
  return { texts, starts, letterMasks, firstOfLength };
};

const findPackedCandidates =
  ({ texts, starts, letterMasks, firstOfLength }: PackedSpellings): SpellingCandidates =>
  (word, maxEdits, visit) => {
    const mask = letterMask(word);
    const firstIndexOfLength = (length: number): number =>
      firstOfLength[Math.min(Math.max(length, 0), firstOfLength.length - 1)] as number;
    const end = firstIndexOfLength(word.length + maxEdits + 1);
    for (let at = firstIndexOfLength(word.length - maxEdits); at < end; at += 1) {
      // The mask rules out most words.
      if (popcount((letterMasks[at] as number) ^ mask) > 2 * maxEdits) continue;
      visit(texts.toString("utf8", starts[at], starts[at + 1]));
    }
  };

const findStoredCandidates =
  (stored: ReadTables): SpellingCandidates =>
  (...args) => {
    for (const [, block] of stored.entries(tables.spellings)) filterCandidates(block)(...args);
  };

/** Tests each spelling by its length and letters. */
export const filterCandidates =
  (spellings: Iterable<string>): SpellingCandidates =>
  (word, maxEdits, visit) => {
    const mask = letterMask(word);
    for (const spelling of spellings) {
      const surface = getSurface(spelling);
      if (Math.abs(surface.length - word.length) > maxEdits) continue;
      if (popcount(letterMask(surface) ^ mask) <= 2 * maxEdits) visit(spelling);
    }
  };

const getSurface = (spelling: string): string => {
  const space = spelling.indexOf(" ");
  return space === -1 ? spelling : spelling.slice(0, space);
};
