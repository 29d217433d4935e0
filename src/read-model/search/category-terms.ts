import { pastEveryId, tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";
import { spellingOf } from "./text/dictionary-entry.ts";
import { mayBeNear, nearest, type Spelled } from "./text/spelling-dictionary.ts";
import type { Stemmer } from "./text/stemmer.ts";
import { wordsOf } from "./text/tokenizer.ts";

/**
 * Looks up categories by the terms of their names. A category's terms are those of its own and its ancestors' names,
 * as surface forms and as stems.
 */
export interface CategoryWords {
  /**
   * Finds categories with one of these terms, or with a term that starts with `prefix`.
   * @returns category ids
   */
  having(words: readonly string[], prefix?: string): ReadonlySet<number>;
  /** Finds words within `maxEdits` typing errors, the nearest first. */
  near(token: string, maxEdits: number): readonly Spelled[];
}

/** Caches the category terms until the counter `categoryWords` changes. */
export interface KeptCategoryWords {
  of(stored: Tables): CategoryWords;
}

/** Above this, each term is looked up in LMDB, and none is offered as a correction. */
const maxCachedTerms = 20_000;

export const keepCategoryWords = (): KeptCategoryWords => {
  let cached: { readonly version: number; readonly words: CategoryWords | undefined } | undefined;
  return {
    of(stored) {
      const version = stored.get(tables.counters, "categoryWords") ?? 0;
      if (cached?.version !== version) cached = { version, words: readTerms(stored) };
      return cached.words ?? createStoredTerms(stored);
    },
  };
};

/**
 * Reads all category terms into memory, sorted.
 * @returns undefined when there are more than `maxCachedTerms`
 */
const readTerms = (stored: Tables): CategoryWords | undefined => {
  const rows = [...stored.keys(tables.categoryWords, { limit: maxCachedTerms + 1 })];
  if (rows.length > maxCachedTerms) return undefined;
  rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const sortedTerms = rows.map(([candidate]) => candidate);
  const surfaceForms = readSurfaceForms(stored);
  return {
    having(terms, prefix) {
      const ids = new Set<number>();
      const add = (from: string, matches: (candidate: string) => boolean): void => {
        for (let at = lowerBound(sortedTerms, from); matches(sortedTerms[at] ?? ""); at += 1) {
          ids.add((rows[at] as readonly [string, number])[1]);
        }
      };
      for (const term of terms) add(term, (candidate) => candidate === term);
      if (prefix !== undefined) add(prefix, (candidate) => candidate.startsWith(prefix));
      return ids;
    },
    near: (word, maxEdits) => nearest(mayBeNear(surfaceForms), word, maxEdits),
  };
};

/**
 * Reads the surface forms of all category names. Stems are left out, because a stem is no word that a customer means.
 */
const readSurfaceForms = (stored: Tables): ReadonlySet<string> => {
  const surfaceForms = new Set<string>();
  for (const [, { name }] of stored.entries(tables.categories)) {
    for (const token of wordsOf(name, identityStemmer)) {
      if (spellingOf(token.written, token.stem) !== undefined) surfaceForms.add(token.written);
    }
  }
  return surfaceForms;
};

const identityStemmer: Stemmer = (token) => token;

/** Finds the index of the first term that is not less than `term`. */
const lowerBound = (ascending: readonly string[], term: string): number => {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as string) < term) low = middle + 1;
    else high = middle;
  }
  return low;
};

const createStoredTerms = (stored: Tables): CategoryWords => ({
  having(terms, prefix) {
    const ids = new Set<number>();
    const add = (start: string, end: string): void => {
      const range = { start: [start], end: [end, pastEveryId] };
      for (const [, id] of stored.keys(tables.categoryWords, range)) ids.add(id);
    };
    for (const term of terms) add(term, term);
    if (prefix !== undefined) add(prefix, `${prefix}\u{10ffff}`);
    return ids;
  },
  near: () => [],
});
