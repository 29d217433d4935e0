import { tables } from "../../schema/tables.ts";
import type { Tables } from "../../store/store.ts";
import { bitsIn, distanceFrom, lettersOf } from "./edit-distance.ts";

/** A word of the catalogue that is near a mistyped one. */
export interface Spelled {
  readonly written: string;
  /** Edit distance between the two. */
  readonly errors: number;
}

/** Searches all words of the catalogue that consist of letters. */
export interface Dictionary {
  /** Finds words within `maxEdits`, the nearest first, then by their text. */
  near(word: string, maxEdits: number): readonly Spelled[];
}

/** Caches the dictionary until a word is added to the catalogue or removed from it. */
export interface KeptDictionary {
  of(stored: Tables): Dictionary;
}

/** Some 1.5 million words exceed this; the dictionary is then read from LMDB at each search. */
const maxDictionaryBytes = 32 * 2 ** 20;

export const keepDictionary = (maxBytes = maxDictionaryBytes): KeptDictionary => {
  let cached: { readonly version: number; readonly dictionary: Dictionary } | undefined;
  return {
    of(stored) {
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
          dictionary: { near: (word, maxEdits) => nearest(getCandidates(), word, maxEdits) },
        };
      }
      return cached.dictionary;
    },
  };
};

/** Visits the spellings whose length and letters are near those of a word. */
export type Candidates = (
  word: string,
  maxEdits: number,
  visit: (spelling: string) => void,
) => void;

/** Selects the candidates within `maxEdits`, the nearest first, then by their text. */
export const nearest = (
  candidates: Candidates,
  word: string,
  maxEdits: number,
): readonly Spelled[] => {
  const distances = new Map<string, number>();
  const computeDistance = distanceFrom(word);
  candidates(word, maxEdits, (spelling) => {
    const surface = getSurface(spelling);
    const edits = computeDistance(surface, maxEdits);
    if (edits <= maxEdits) distances.set(surface, edits);
  });
  return [...distances]
    .map(([surface, edits]): Spelled => ({ written: surface, errors: edits }))
    .sort((a, b) => a.errors - b.errors || (a.written < b.written ? -1 : 1));
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
const packSpellings = (stored: Tables, maxBytes: number): PackedSpellings | undefined => {
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
      letterMasks[at++] = lettersOf(getSurface(spelling));
      end += texts.write(spelling, end);
    }
  }
  firstOfLength[byLength.length] = at;
  starts[at] = end;
  return { texts, starts, letterMasks, firstOfLength };
};

const findPackedCandidates =
  ({ texts, starts, letterMasks, firstOfLength }: PackedSpellings): Candidates =>
  (word, maxEdits, visit) => {
    const mask = lettersOf(word);
    const firstIndexOfLength = (length: number): number =>
      firstOfLength[Math.min(Math.max(length, 0), firstOfLength.length - 1)] as number;
    const end = firstIndexOfLength(word.length + maxEdits + 1);
    for (let at = firstIndexOfLength(word.length - maxEdits); at < end; at += 1) {
      // The mask rules out most words.
      if (bitsIn((letterMasks[at] as number) ^ mask) > 2 * maxEdits) continue;
      visit(texts.toString("utf8", starts[at], starts[at + 1]));
    }
  };

const findStoredCandidates =
  (stored: Tables): Candidates =>
  (...args) => {
    for (const [, block] of stored.entries(tables.spellings)) mayBeNear(block)(...args);
  };

/** Tests each spelling by its length and letters. */
export const mayBeNear =
  (spellings: Iterable<string>): Candidates =>
  (word, maxEdits, visit) => {
    const mask = lettersOf(word);
    for (const spelling of spellings) {
      const surface = getSurface(spelling);
      if (Math.abs(surface.length - word.length) > maxEdits) continue;
      if (bitsIn(lettersOf(surface) ^ mask) <= 2 * maxEdits) visit(spelling);
    }
  };

const getSurface = (spelling: string): string => {
  const space = spelling.indexOf(" ");
  return space === -1 ? spelling : spelling.slice(0, space);
};
