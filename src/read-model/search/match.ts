import type { Tables } from "../store.ts";
import { tables } from "../tables.ts";
import { stemmerOf } from "./stemmer.ts";
import { identifierOf, type Word, wordsOf } from "./words.ts";

/** How much a category's name counts beside the product's own fields. */
const categoryWeight = 4;
/** An exact reference or GTIN stands before everything that only matches words. */
const exactRank = 1_000_000;

export interface Match {
  readonly id: number;
  /** Higher comes first. It follows from the product and the query alone, so that cursors stay true while others change. */
  readonly rank: number;
}

/**
 * Products that hold every word of the query, the last one as a prefix, best first (contract section 4).
 * A query of nothing but punctuation matches nothing.
 */
export const matchProducts = (stored: Tables, query: string): Match[] => {
  const language = stored.get(tables.settings, "settings")?.content?.language;
  const ranks = matchWords(stored, wordsOf(query, stemmerOf(language)));
  for (const id of matchIdentifier(stored, query)) ranks.set(id, exactRank + (ranks.get(id) ?? 0));
  return [...ranks]
    .map(([id, rank]) => ({ id, rank }))
    .sort((a, b) => b.rank - a.rank || a.id - b.id);
};

const matchIdentifier = (stored: Tables, query: string): number[] => {
  const identifier = identifierOf(query);
  if (identifier === "") return [];
  return [...stored.keys(tables.identifiers, prefixRange(identifier, ""))].map(([, id]) => id);
};

const matchWords = (stored: Tables, words: readonly Word[]): Map<number, number> => {
  let found: Map<number, number> | undefined;
  for (const { word, asPrefix } of distinct(words)) {
    const matches = matchWord(stored, word, asPrefix);
    found = found ? intersect(found, matches) : matches;
    if (found.size === 0) break;
  }
  return found ?? new Map();
};

/** Each word once: said again it asks for nothing more, and would cost as much again. */
const distinct = (
  words: readonly Word[],
): { readonly word: Word; readonly asPrefix: boolean }[] => {
  const last = words.at(-1);
  const others = new Map(words.slice(0, -1).map((word) => [word.stem || word.written, word]));
  if (last) others.delete(last.stem || last.written);
  return [
    ...[...others.values()].map((word) => ({ word, asPrefix: false })),
    ...(last ? [{ word: last, asPrefix: true }] : []),
  ];
};

/** Every word is indexed with its stem, so the stem finds all its forms; the last word is also a prefix. */
const matchWord = (stored: Tables, word: Word, asPrefix: boolean): Map<number, number> => {
  const ranks = new Map<number, number>();
  const raise = (id: number, rank: number): void => {
    if (rank > (ranks.get(id) ?? 0)) ranks.set(id, rank);
  };
  raiseRange(stored, prefixRange(word.stem || word.written, ""), raise);
  if (asPrefix) raiseRange(stored, prefixRange(word.written, "\u{10ffff}"), raise);
  return ranks;
};

const raiseRange = (
  stored: Tables,
  range: ReturnType<typeof prefixRange>,
  raise: (id: number, rank: number) => void,
): void => {
  for (const [, id, weight] of stored.keys(tables.words, range)) raise(id, weight);
  for (const [, category] of stored.keys(tables.categoryWords, range)) {
    for (const [, id] of stored.keys(tables.categoryProducts, {
      start: [category],
      end: [category + 1],
    })) {
      raise(id, categoryWeight);
    }
  }
};

/** Keys `[text, id]` of one text, or of every text that begins so. */
const prefixRange = (text: string, tail: string) => ({
  start: [text],
  end: [text + tail, Number.MAX_SAFE_INTEGER],
});

const intersect = (
  one: ReadonlyMap<number, number>,
  other: ReadonlyMap<number, number>,
): Map<number, number> => {
  const both = new Map<number, number>();
  for (const [id, rank] of one) {
    const more = other.get(id);
    if (more !== undefined) both.set(id, rank + more);
  }
  return both;
};
