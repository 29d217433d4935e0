import type { Tables } from "../store.ts";
import { tables } from "../tables.ts";
import { partsOf } from "./spelling.ts";
import { bitsIn, distance, lettersOf } from "./typing.ts";

/** A word of the catalogue that a mistyped one may have meant. */
export interface Spelled {
  readonly written: string;
  readonly stem: string;
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

export const keepDictionary = (): KeptDictionary => {
  let kept: { readonly version: number; readonly dictionary: Dictionary } | undefined;
  return {
    of(stored) {
      const version = stored.get(tables.counters, "spellings") ?? 0;
      if (kept?.version !== version) kept = { version, dictionary: readDictionary(stored) };
      return kept.dictionary;
    },
  };
};

const readDictionary = (stored: Tables): Dictionary => {
  const spellings: string[] = [];
  for (const [, run] of stored.entries(tables.spellings)) spellings.push(...run);
  const letters = new Uint32Array(spellings.length);
  const lengths = new Uint8Array(spellings.length);
  for (const [at, spelling] of spellings.entries()) {
    const space = spelling.indexOf(" ");
    const written = space === -1 ? spelling : spelling.slice(0, space);
    letters[at] = lettersOf(written);
    lengths[at] = written.length;
  }
  return {
    near(word, errors) {
      const asked = lettersOf(word);
      const found: Spelled[] = [];
      for (let at = 0; at < spellings.length; at += 1) {
        // Most words are ruled out by these two numbers.
        if (Math.abs((lengths[at] as number) - word.length) > errors) continue;
        if (bitsIn((letters[at] as number) ^ asked) > 2 * errors) continue;
        const [written, stem] = partsOf(spellings[at] as string);
        const apart = distance(word, written, errors);
        if (apart <= errors) found.push({ written, stem, errors: apart });
      }
      return found.sort((a, b) => a.errors - b.errors || (a.written < b.written ? -1 : 1));
    },
  };
};
