import type { Tables } from "../store.ts";
import { tables } from "../tables.ts";
import { bitsIn, distance, lettersOf } from "./typing.ts";

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

/** Bytes that one process keeps of it; some 400,000 words take more, and are read whenever a word is looked for. */
const mostKept = 8 * 2 ** 20;

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
  candidates(word, errors, (spelling) => {
    const written = writtenOf(spelling);
    const apart = distance(word, written, errors);
    if (apart <= errors) found.set(written, apart);
  });
  return [...found]
    .map(([written, apart]) => ({ written, errors: apart }))
    .sort((a, b) => a.errors - b.errors || (a.written < b.written ? -1 : 1));
};

/** All spellings in one piece; an object each would take three times as much. */
interface PackedSpellings {
  readonly texts: Buffer;
  /** Where each begins, and behind the last one the end. */
  readonly starts: Uint32Array;
  readonly letters: Uint32Array;
  readonly lengths: Uint8Array;
}

/** Bytes for each spelling besides its text. */
const eachTakes = 9;

/** Undefined when that takes more bytes than it may. */
const packSpellings = (stored: Tables, limit: number): PackedSpellings | undefined => {
  const runs: Buffer[] = [];
  let [count, bytes] = [0, 0];
  for (const [, run] of stored.entries(tables.spellings)) {
    const text = Buffer.from(run.join("\n"));
    runs.push(text);
    count += run.length;
    bytes += text.length;
    if (bytes + count * eachTakes > limit) return undefined;
  }
  const texts = Buffer.allocUnsafeSlow(bytes + runs.length);
  const starts = new Uint32Array(count + 1);
  const letters = new Uint32Array(count);
  const lengths = new Uint8Array(count);
  let [at, end] = [0, 0];
  for (const run of runs) {
    for (const spelling of run.toString("utf8").split("\n")) {
      const written = writtenOf(spelling);
      starts[at] = end;
      letters[at] = lettersOf(written);
      lengths[at++] = written.length;
      end += texts.write(spelling, end);
    }
  }
  starts[at] = end;
  return { texts, starts, letters, lengths };
};

const packedNear =
  ({ texts, starts, letters, lengths }: PackedSpellings): Candidates =>
  (word, errors, visit) => {
    const asked = lettersOf(word);
    for (let at = 0; at < lengths.length; at += 1) {
      // Most words are ruled out by these two numbers.
      if (Math.abs((lengths[at] as number) - word.length) > errors) continue;
      if (bitsIn((letters[at] as number) ^ asked) > 2 * errors) continue;
      visit(texts.toString("utf8", starts[at], starts[at + 1]));
    }
  };

const storedNear =
  (stored: Tables): Candidates =>
  (word, errors, visit) => {
    const asked = lettersOf(word);
    for (const [, run] of stored.entries(tables.spellings)) {
      for (const spelling of run) {
        const written = writtenOf(spelling);
        if (Math.abs(written.length - word.length) > errors) continue;
        if (bitsIn(lettersOf(written) ^ asked) <= 2 * errors) visit(spelling);
      }
    }
  };

const writtenOf = (spelling: string): string => {
  const space = spelling.indexOf(" ");
  return space === -1 ? spelling : spelling.slice(0, space);
};
