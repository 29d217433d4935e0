import type { Tables } from "../store.ts";
import { tables } from "../tables.ts";

/** The categories whose names, or those of the categories above them, say a stem, or a word with such a beginning. */
export type CategoryWords = (stem: string, beginning: string | undefined) => ReadonlySet<number>;

/** What one process keeps of them until a category's words change. */
export interface KeptCategoryWords {
  of(stored: Tables): CategoryWords;
}

/** Words of categories: where there are more, each is looked up. */
const mostKept = 20_000;

export const keepCategoryWords = (): KeptCategoryWords => {
  let kept: { readonly version: number; readonly words: CategoryWords | undefined } | undefined;
  return {
    of(stored) {
      const version = stored.get(tables.counters, "categoryWords") ?? 0;
      if (kept?.version !== version) kept = { version, words: readWords(stored) };
      return kept.words ?? ((stem, beginning) => lookUp(stored, stem, beginning));
    },
  };
};

/** All of them in memory, in order; undefined when they are too many. */
const readWords = (stored: Tables): CategoryWords | undefined => {
  const rows = [...stored.keys(tables.categoryWords, { limit: mostKept + 1 })];
  if (rows.length > mostKept) return undefined;
  rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const words = rows.map(([word]) => word);
  return (stem, beginning) => {
    const ids = new Set<number>();
    const add = (from: string, isMeant: (word: string) => boolean): void => {
      for (let at = firstFrom(words, from); isMeant(words[at] ?? ""); at += 1) {
        ids.add((rows[at] as readonly [string, number])[1]);
      }
    };
    add(stem, (word) => word === stem);
    if (beginning !== undefined) add(beginning, (word) => word.startsWith(beginning));
    return ids;
  };
};

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

const lookUp = (
  stored: Tables,
  stem: string,
  beginning: string | undefined,
): ReadonlySet<number> => {
  const ids = new Set<number>();
  const add = (start: string, end: string): void => {
    const range = { start: [start], end: [end, Number.MAX_SAFE_INTEGER] };
    for (const [, id] of stored.keys(tables.categoryWords, range)) ids.add(id);
  };
  add(stem, stem);
  if (beginning !== undefined) add(beginning, `${beginning}\u{10ffff}`);
  return ids;
};
