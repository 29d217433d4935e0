import { tables } from "../../schema/tables.ts";
import { wordList } from "../postings/list-keys.ts";
import { correctedSource, type SearchMoment } from "../term-query.ts";
import type { Word } from "./tokenizer.ts";

/**
 * The two words that names of products say where one was asked for, as its space was left out: `t shirt` for `tshirt`.
 * Of all places the space may have been in the one that most names have; of equal ones the first.
 */
export const partedIn = (
  moment: SearchMoment,
  { written, stem }: Word,
): readonly [string] | undefined => {
  let best: { readonly parted: string; readonly count: number } | undefined;
  for (const parted of [...new Set([written, stem])].flatMap(partings)) {
    if (!parted.split(" ").every((part) => isSaid(moment, part))) continue;
    const { count } = correctedSource(moment, parted);
    if (count > (best?.count ?? 0)) best = { parted, count };
  }
  return best && [best.parted];
};

const partings = (word: string): readonly string[] =>
  [...word].slice(1).map((_, at) => `${word.slice(0, at + 1)} ${word.slice(at + 1)}`);

/** Whether a product says it; most parts of a word are nothing that any says, which this finds out without its lists. */
const isSaid = ({ stored }: SearchMoment, written: string): boolean => {
  if (stored.has(tables.lists, wordList(written))) return true;
  const range = { start: [written], end: [written, "\u{10ffff}"], limit: 1 };
  return [...stored.keys(tables.forms, range)].length > 0;
};
