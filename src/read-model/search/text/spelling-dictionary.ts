import { tables } from "../../schema/tables.ts";
import type { Tables } from "../../store/store.ts";
import { bitsIn, distanceFrom, lettersOf } from "./edit-distance.ts";

/** A word of the catalogue that a mistyped one may have meant. */
export interface Spelled {
  readonly written: string;
  /** Typing errors between the two. */
  readonly errors: number;
}

/** All words of the catalogue that are made of letters. */
export interface Dictionary {
  /** Words within so many errors, the nearest first, then by their text. */
  near(word: string, errors: number): readonly Spelled[];
}

/** The dictionary as it was last read; read again when a word came or went. */
export interface KeptDictionary {
  of(stored: Tables): Dictionary;
}

/** Bytes that one process keeps of it; some 1.5 million words take more, and are read whenever a word is looked for. */
const mostKept = 32 * 2 ** 20;

/** @param limit bytes to keep at most */
export const keepDictionary = (limit = mostKept): KeptDictionary => {
  let kept: { readonly version: number; readonly dictionary: Dictionary } | undefined;
  return {
    of(stored) {
      const version = stored.get(tables.counters, "spellings") ?? 0;
      if (kept?.version !== version) {
        // Not while the new one is read: memory has to hold one of them.
        kept = undefined;
        const packed = packSpellings(stored, limit);
        const all = packed ? () => packedNear(packed) : () => storedNear(stored);
        kept = { version, dictionary: { near: (word, errors) => nearest(all(), word, errors) } };
      }
      return kept.dictionary;
    },
  };
};

/** Visits spellings that may be near: whose length and letters are. */
export type Candidates = (word: string, errors: number, visit: (spelling: string) => void) => void;

/** Of the candidates those that are near, the nearest first, then by their text. */
export const nearest = (
  candidates: Candidates,
  word: string,
  errors: number,
): readonly Spelled[] => {
  const found = new Map<string, number>();
  const distance = distanceFrom(word);
  candidates(word, errors, (spelling) => {
    const written = writtenOf(spelling);
    const apart = distance(written, errors);
    if (apart <= errors) found.set(written, apart);
  });
  return [...found]
    .map(([written, apart]) => ({ written, errors: apart }))
    .sort((a, b) => a.errors - b.errors || (a.written < b.written ? -1 : 1));
};

/** All spellings in one piece, the short ones first; an object each would take three times as much. */
interface PackedSpellings {
  readonly texts: Buffer;
  /** Where each begins, and behind the last one the end. */
  readonly starts: Uint32Array;
  readonly letters: Uint32Array;
  /** For each length the place of the first spelling that is so long or longer. */
  readonly ofLength: Uint32Array;
}

/** Bytes for each spelling besides its text. */
const eachTakes = 8;

/** Undefined when that takes more bytes than it may. */
const packSpellings = (stored: Tables, limit: number): PackedSpellings | undefined => {
  const known: string[][] = [];
  let [count, bytes] = [0, 0];
  for (const [, run] of stored.entries(tables.spellings)) {
    for (const spelling of run) {
      const { length } = writtenOf(spelling);
      known[length] ??= [];
      known[length].push(spelling);
      bytes += Buffer.byteLength(spelling);
    }
    count += run.length;
    if (bytes + count * eachTakes > limit) return undefined;
  }
  const texts = Buffer.allocUnsafeSlow(bytes);
  const starts = new Uint32Array(count + 1);
  const letters = new Uint32Array(count);
  const ofLength = new Uint32Array(known.length + 1);
  let [at, end] = [0, 0];
  for (let length = 0; length < known.length; length += 1) {
    ofLength[length] = at;
    for (const spelling of known[length] ?? []) {
      starts[at] = end;
      letters[at++] = lettersOf(writtenOf(spelling));
      end += texts.write(spelling, end);
    }
  }
  ofLength[known.length] = at;
  starts[at] = end;
  return { texts, starts, letters, ofLength };
};

const packedNear =
  ({ texts, starts, letters, ofLength }: PackedSpellings): Candidates =>
  (word, errors, visit) => {
    const asked = lettersOf(word);
    const placeOf = (length: number): number =>
      ofLength[Math.min(Math.max(length, 0), ofLength.length - 1)] as number;
    const end = placeOf(word.length + errors + 1);
    for (let at = placeOf(word.length - errors); at < end; at += 1) {
      // Most words are ruled out by this number.
      if (bitsIn((letters[at] as number) ^ asked) > 2 * errors) continue;
      visit(texts.toString("utf8", starts[at], starts[at + 1]));
    }
  };

const storedNear =
  (stored: Tables): Candidates =>
  (...asked) => {
    for (const [, run] of stored.entries(tables.spellings)) mayBeNear(run)(...asked);
  };

/** Looks at each of them. */
export const mayBeNear =
  (spellings: Iterable<string>): Candidates =>
  (word, errors, visit) => {
    const asked = lettersOf(word);
    for (const spelling of spellings) {
      const written = writtenOf(spelling);
      if (Math.abs(written.length - word.length) > errors) continue;
      if (bitsIn(lettersOf(written) ^ asked) <= 2 * errors) visit(spelling);
    }
  };

const writtenOf = (spelling: string): string => {
  const space = spelling.indexOf(" ");
  return space === -1 ? spelling : spelling.slice(0, space);
};
