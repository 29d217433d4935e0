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

/** What a search reads of one snapshot. */
export interface SearchMoment {
  readonly stored: Tables;
  readonly kept: KeptLists;
  /**
   * Opens the list of products directly in a category. Memoized per snapshot, because the words of many searches name
   * thousands of categories.
   */
  readonly inCategory: (id: number) => List | undefined;
  readonly dictionary: () => Dictionary;
  readonly homographs: Homographs;
  readonly categoryWords: () => CategoryWords;
  /** Maps each category to its parent. Invariant: parents precede their children. */
  readonly parents: () => ReadonlyMap<number, number | null>;
}

/** Weight of a prefix match relative to the exact term, in sixteenths. */
const prefixWeight = 8;

/** Matches products with a token in any of its forms, or as a prefix, or in a category whose name has it. */
export const wordSource = (context: SearchMoment, token: Word, asPrefix: boolean): Source => {
  const stems = findStems(context, token);
  const prefixLists = asPrefix ? openPrefixLists(context, token, stems) : [];
  const textSource = anyOf([
    ...openTermLists(context, stems).map(listSource),
    ...(prefixLists.length > 0 ? [weakened(prefixLists, prefixWeight)] : []),
  ]);
  const { written: surface, stem } = token;
  const ids = context.categoryWords().having([stem, surface], asPrefix ? surface : undefined);
  return unionWithCategories(textSource, openCategoryLists(context, ids), 16);
};

/** Weight of a corrected word relative to the exact term, in sixteenths. */
const correctionWeight = 11;

/**
 * Matches products with a correction: one word of the catalogue, or two words that are adjacent in a name and lack
 * the space in the query.
 */
export const correctedSource = (context: SearchMoment, surface: string): Source => {
  const [token = "", next] = surface.split(" ");
  if (next !== undefined)
    return besideInName(correctedWordSource(context, token), correctedWordSource(context, next));
  const ids = context.categoryWords().having([token]);
  return unionWithCategories(
    correctedWordSource(context, token),
    openCategoryLists(context, ids),
    correctionWeight,
  );
};

const correctedWordSource = (context: SearchMoment, surface: string): Source =>
  weakened(
    openTermLists(context, findStems(context, { written: surface, stem: surface })),
    correctionWeight,
  );

/** Counts products with a surface form, and products in categories whose name has it. */
export const countOf = (context: SearchMoment, surface: string): number => {
  const lists = openTermLists(context, findStems(context, { written: surface, stem: surface }));
  const categoryLists = openCategoryLists(context, context.categoryWords().having([surface]));
  return (
    lists.reduce((sum, list) => sum + (list.forms().get(surface) ?? 0), 0) +
    categoryLists.reduce((sum, { count }) => sum + count, 0)
  );
};

/** Impact of a category's name on its products: alone, and added to the product's own impact. */
const categoryImpact = { alone: 84, added: 12 };

const unionWithCategories = (
  textSource: Source,
  lists: readonly List[],
  sixteenths: number,
): Source => {
  const categories = anyOf(lists.map(listSource));
  if (categories.count === 0) return textSource;
  const categorySource = uniform(categories, (categoryImpact.alone * sixteenths) >> 4);
  return textSource.count === 0
    ? categorySource
    : anyOf([textSource, categorySource], addCategoryImpact);
};

const addCategoryImpact = (one: Payload, other: Payload): Payload => {
  const [impact, otherImpact] = [impactOf(one), impactOf(other)];
  const nameBits = one - impact || other - otherImpact;
  return nameBits + Math.min(127, Math.max(impact, otherImpact) + categoryImpact.added);
};

/** Finds the stem of a token and the stems of its spelling variants. */
const findStems = (
  { homographs: stemVariants }: SearchMoment,
  { written: surface, stem }: Word,
): ReadonlySet<string> => new Set([stem, ...stemVariants(surface)]);

const openTermLists = (
  { stored, kept: listCache }: SearchMoment,
  stems: Iterable<string>,
): readonly List[] =>
  [...stems].flatMap((stem) => openList(stored, listCache, wordList(stem)) ?? []);

const openCategoryLists = (
  { inCategory: openCategoryList }: SearchMoment,
  ids: Iterable<number>,
): readonly List[] => [...ids].flatMap((id) => openCategoryList(id) ?? []);

/**
 * Limits the terms of a prefix: one or two letters begin more words than a customer means, and one letter tells next
 * to nothing.
 */
const maxPrefixTerms = (surface: string): number => (surface.length > 1 ? 4_096 : 1_024);

const openPrefixLists = (
  context: SearchMoment,
  { written: surface }: Word,
  exactStems: ReadonlySet<string>,
): readonly List[] => {
  const { stored } = context;
  const stems = new Set<string>();
  const limit = maxPrefixTerms(surface);
  const termRange = { start: wordList(surface), end: wordList(`${surface}\u{10ffff}`) };
  for (const key of stored.keys(tables.lists, { ...termRange, limit })) {
    stems.add(wordOf(key));
  }
  const formRange = { start: [surface], end: [`${surface}\u{10ffff}`], limit };
  for (const [, form] of stored.keys(tables.forms, formRange)) stems.add(form);
  for (const stem of exactStems) stems.delete(stem);
  return openTermLists(context, stems);
};
