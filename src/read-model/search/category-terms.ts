import { pastEveryId, tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";
import { spellingOf } from "./text/dictionary-entry.ts";
import { mayBeNear, nearest, type Spelled } from "./text/spelling-dictionary.ts";
import type { Stemmer } from "./text/stemmer.ts";
import { wordsOf } from "./text/tokenizer.ts";

/** The words of categories: of their names, and of those of the categories above them, as written and as stems. */
export interface CategoryWords {
  /** The categories that have such a word, or one with such a beginning. */
  having(words: readonly string[], beginning?: string): ReadonlySet<number>;
  /** Words within so many typing errors, the nearest first. */
  near(word: string, errors: number): readonly Spelled[];
}

/** What one process keeps of them until a category's words change. */
export interface KeptCategoryWords {
  of(stored: Tables): CategoryWords;
}

/** Words of categories: where there are more, each is looked up, and none is taken for a mistyped one. */
const mostKept = 20_000;

export const keepCategoryWords = (): KeptCategoryWords => {
  let kept: { readonly version: number; readonly words: CategoryWords | undefined } | undefined;
  return {
    of(stored) {
      const version = stored.get(tables.counters, "categoryWords") ?? 0;
      if (kept?.version !== version) kept = { version, words: readWords(stored) };
      return kept.words ?? storedWords(stored);
    },
  };
};

/** All of them in memory, in order; undefined when they are too many. */
const readWords = (stored: Tables): CategoryWords | undefined => {
  const rows = [...stored.keys(tables.categoryWords, { limit: mostKept + 1 })];
  if (rows.length > mostKept) return undefined;
  rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const words = rows.map(([word]) => word);
  const written = readWritten(stored);
  return {
    having(asked, beginning) {
      const ids = new Set<number>();
      const add = (from: string, isMeant: (word: string) => boolean): void => {
        for (let at = firstFrom(words, from); isMeant(words[at] ?? ""); at += 1) {
          ids.add((rows[at] as readonly [string, number])[1]);
        }
      };
      for (const one of asked) add(one, (word) => word === one);
      if (beginning !== undefined) add(beginning, (word) => word.startsWith(beginning));
      return ids;
    },
    near: (word, errors) => nearest(mayBeNear(written), word, errors),
  };
};

/** The words of all names as they are written: a stem is no word that anybody means. */
const readWritten = (stored: Tables): ReadonlySet<string> => {
  const written = new Set<string>();
  for (const [, { name }] of stored.entries(tables.categories)) {
    for (const word of wordsOf(name, unstemmed)) {
      if (spellingOf(word.written, word.stem) !== undefined) written.add(word.written);
    }
  }
  return written;
};

const unstemmed: Stemmer = (word) => word;

/** The place of the first word that is not before this one. */
const firstFrom = (ascending: readonly string[], word: string): number => {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as string) < word) low = middle + 1;
    else high = middle;
  }
  return low;
};

const storedWords = (stored: Tables): CategoryWords => ({
  having(asked, beginning) {
    const ids = new Set<number>();
    const add = (start: string, end: string): void => {
      const range = { start: [start], end: [end, pastEveryId] };
      for (const [, id] of stored.keys(tables.categoryWords, range)) ids.add(id);
    };
    for (const one of asked) add(one, one);
    if (beginning !== undefined) add(beginning, `${beginning}\u{10ffff}`);
    return ids;
  },
  near: () => [],
});
