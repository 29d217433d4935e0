import { tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";
import type { CategoryWords } from "./category-terms.ts";
import { wordList, wordOf } from "./postings/list-keys.ts";
import { impactOf, type Payload } from "./postings/posting-codec.ts";
import { type KeptLists, type List, openList } from "./postings/posting-list.ts";
import {
  anyOf,
  besideInName,
  listSource,
  type Source,
  uniform,
  weakened,
} from "./postings/posting-source.ts";
import type { Dictionary } from "./text/spelling-dictionary.ts";
import type { Homographs } from "./text/stem-variants.ts";
import type { Word } from "./text/tokenizer.ts";

/** What finding products needs of one moment. */
export interface SearchMoment {
  readonly stored: Tables;
  readonly kept: KeptLists;
  /** Products directly in a category: opened once in a moment, as the words of many searches name thousands of them. */
  readonly inCategory: (id: number) => List | undefined;
  readonly dictionary: () => Dictionary;
  readonly homographs: Homographs;
  readonly categoryWords: () => CategoryWords;
  /** Each category with the one above it, which stands before it. */
  readonly parents: () => ReadonlyMap<number, number | null>;
}

/** How much a word that only begins as asked counts beside the word itself, in sixteenths. */
const begunCounts = 8;

/** Products that say a word in any of its forms, or one that begins so, or are in a category whose name does. */
export const wordSource = (moment: SearchMoment, word: Word, asPrefix: boolean): Source => {
  const exact = stemsOf(moment, word);
  const begun = asPrefix ? beginningWith(moment, word, exact) : [];
  const texts = anyOf([
    ...listsOf(moment, exact).map(listSource),
    ...(begun.length > 0 ? [weakened(begun, begunCounts)] : []),
  ]);
  const { written, stem } = word;
  const ids = moment.categoryWords().having([stem, written], asPrefix ? written : undefined);
  return orInCategories(texts, categoryLists(moment, ids), 16);
};

/** How much a corrected word counts beside one that was meant as written, in sixteenths. */
const correctedCounts = 11;

/** The same for a word of the catalogue that another was mistyped for, or for two of them and the space between. */
export const correctedSource = (moment: SearchMoment, written: string): Source => {
  const [word = "", next] = written.split(" ");
  if (next !== undefined)
    return besideInName(guessedLists(moment, word), guessedLists(moment, next));
  const ids = moment.categoryWords().having([word]);
  return orInCategories(guessedLists(moment, word), categoryLists(moment, ids), correctedCounts);
};

const guessedLists = (moment: SearchMoment, written: string): Source =>
  weakened(listsOf(moment, stemsOf(moment, { written, stem: written })), correctedCounts);

/** Products that say a word so written, and those in categories whose names do. */
export const countOf = (moment: SearchMoment, written: string): number => {
  const said = listsOf(moment, stemsOf(moment, { written, stem: written }));
  const named = categoryLists(moment, moment.categoryWords().having([written]));
  return (
    said.reduce((sum, list) => sum + (list.forms().get(written) ?? 0), 0) +
    named.reduce((sum, { count }) => sum + count, 0)
  );
};

/** What the name of a category says of a product in it: alone, and beside what the product says itself. */
const categoryImpact = { alone: 84, beside: 12 };

const orInCategories = (texts: Source, lists: readonly List[], sixteenths: number): Source => {
  const inCategories = anyOf(lists.map(listSource));
  if (inCategories.count === 0) return texts;
  const named = uniform(inCategories, (categoryImpact.alone * sixteenths) >> 4);
  return texts.count === 0 ? named : anyOf([texts, named], withCategory);
};

const withCategory = (one: Payload, other: Payload): Payload => {
  const [impact, more] = [impactOf(one), impactOf(other)];
  const place = one - impact || other - more;
  return place + Math.min(127, Math.max(impact, more) + categoryImpact.beside);
};

/** Its stem, and those of words that are written alike. */
const stemsOf = ({ homographs }: SearchMoment, { written, stem }: Word): ReadonlySet<string> =>
  new Set([stem, ...homographs(written)]);

const listsOf = ({ stored, kept }: SearchMoment, stems: Iterable<string>): readonly List[] =>
  [...stems].flatMap((stem) => openList(stored, kept, wordList(stem)) ?? []);

const categoryLists = ({ inCategory }: SearchMoment, ids: Iterable<number>): readonly List[] =>
  [...ids].flatMap((id) => inCategory(id) ?? []);

/** Words that may begin so at most: a letter or two begin more than anyone means, and one alone says next to nothing. */
const mostBegun = (written: string): number => (written.length > 1 ? 4_096 : 1_024);

const beginningWith = (
  moment: SearchMoment,
  { written }: Word,
  exact: ReadonlySet<string>,
): readonly List[] => {
  const { stored } = moment;
  const stems = new Set<string>();
  const limit = mostBegun(written);
  const heads = { start: wordList(written), end: wordList(`${written}\u{10ffff}`) };
  for (const list of stored.keys(tables.lists, { ...heads, limit })) {
    stems.add(wordOf(list));
  }
  const forms = { start: [written], end: [`${written}\u{10ffff}`], limit };
  for (const [, form] of stored.keys(tables.forms, forms)) stems.add(form);
  for (const stem of exact) stems.delete(stem);
  return listsOf(moment, stems);
};
