import { tables } from "../../schema/tables.ts";
import { termKey } from "../postings/list-keys.ts";
import type { Token } from "../text/token.ts";
import type { SearchContext } from "./search-context.ts";
import { correctedTermSource } from "./term-source.ts";

/**
 * Splits a token that lacks a space into two words that are adjacent in names of products: `tshirt` into `t shirt`.
 * The split that most names have wins, of equal ones the first.
 * @returns undefined when no name has such words
 */
export const splitCompound = (
  context: SearchContext,
  { surface, stem }: Token,
): readonly [string] | undefined => {
  let best: { readonly words: string; readonly count: number } | undefined;
  for (const words of [...new Set([surface, stem])].flatMap(splitEverywhere)) {
    if (!words.split(" ").every((word) => isIndexed(context, word))) continue;
    const { count } = correctedTermSource(context, words);
    if (count > (best?.count ?? 0)) best = { words, count };
  }
  return best && [best.words];
};

const splitEverywhere = (word: string): readonly string[] =>
  [...word].slice(1).map((_, at) => `${word.slice(0, at + 1)} ${word.slice(at + 1)}`);

/** Whether a product has a word. It reads no posting list, because most parts of a token are in no product. */
const isIndexed = ({ stored }: SearchContext, surface: string): boolean => {
  if (stored.has(tables.postingLists, termKey(surface))) return true;
  const range = { start: [surface], end: [surface, "\u{10ffff}"], limit: 1 } as const;
  return [...stored.keys(tables.stemForms, range)].length > 0;
};
