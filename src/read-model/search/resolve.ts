import type { Tables } from "../store.ts";
import { tables } from "../tables.ts";
import type { CategoryWords } from "./category-words.ts";
import type { Dictionary, Spelled } from "./dictionary.ts";
import type { Homographs } from "./homographs.ts";
import { type KeptLists, type List, openList } from "./lists.ts";
import { categoryList, wordList, wordOf } from "./names.ts";
import type { Slot } from "./plan.ts";
import { impactOf, type Payload } from "./posting.ts";
import { allOf, anyOf, listSource, type Source, uniform, weakened } from "./sources.ts";
import { errorsIn } from "./typing.ts";
import type { Word } from "./words.ts";

/** What finding products needs of one moment. */
export interface SearchMoment {
  readonly stored: Tables;
  readonly kept: KeptLists;
  readonly dictionary: () => Dictionary;
  readonly homographs: Homographs;
  readonly categoryWords: CategoryWords;
}

/** A slot with the products that match it. */
export interface Resolved {
  readonly source: Source;
  /** Words of the catalogue it was taken for, because no product says it as it was asked. */
  readonly corrected: readonly string[];
}

/**
 * Finds what matches a slot: the word in any of its forms, as the beginning of a word where it is the last one, in
 * the name of a category, in other words; only when all of that finds nothing, a word it may have been mistyped for.
 * @param pinned corrections that an earlier page of the same walk settled on; undefined to look for them
 */
export const resolve = (
  moment: SearchMoment,
  slot: Slot,
  pinned: readonly string[] | undefined,
): Resolved => {
  const source = anyOf(
    [
      phraseSource(moment, slot.words, slot.asPrefix),
      ...slot.alternatives.map((words) => phraseSource(moment, words, false)),
    ].filter(({ count }) => count > 0),
  );
  if (pinned) {
    const meant = pinned.map((written) => correctedSource(moment, written));
    return { source: anyOf([source, ...meant]), corrected: pinned };
  }
  if (source.count > 0) return { source, corrected: [] };
  return correct(moment, slot);
};

const phraseSource = (moment: SearchMoment, words: readonly Word[], asPrefix: boolean): Source =>
  allOf(words.map((word, at) => wordSource(moment, word, asPrefix && at === words.length - 1)));

/** How much a word that only begins as asked counts beside the word itself, in sixteenths. */
const begunCounts = 8;

const wordSource = (moment: SearchMoment, word: Word, asPrefix: boolean): Source => {
  const { stored, kept } = moment;
  const exact = stemsOf(moment, word);
  const begun = asPrefix ? beginningWith(moment, word, exact) : [];
  const texts = anyOf([
    ...[...exact].flatMap((stem) => openList(stored, kept, wordList(stem)) ?? []).map(listSource),
    ...(begun.length > 0 ? [weakened(begun, begunCounts)] : []),
  ]);
  const inCategories = anyOf(categoriesOf(moment, word, asPrefix).map(listSource));
  if (inCategories.count === 0) return texts;
  const named = uniform(inCategories, categoryImpact.alone);
  return texts.count === 0 ? named : anyOf([texts, named], withCategory);
};

/** What the name of a category says of a product in it: alone, and beside what the product says itself. */
const categoryImpact = { alone: 84, beside: 12 };

const withCategory = (one: Payload, other: Payload): Payload => {
  const [impact, more] = [impactOf(one), impactOf(other)];
  const place = one - impact || other - more;
  return place + Math.min(127, Math.max(impact, more) + categoryImpact.beside);
};

/** Its stem, and those of words that are written alike. */
const stemsOf = ({ homographs }: SearchMoment, { written, stem }: Word): ReadonlySet<string> =>
  new Set([stem, ...homographs(written)]);

/** Words that may begin so at most: a letter or two begin more than anyone means. */
const mostBegun = 4_096;

const beginningWith = (
  { stored, kept }: SearchMoment,
  { written }: Word,
  exact: ReadonlySet<string>,
): readonly List[] => {
  const stems = new Set<string>();
  const heads = { start: wordList(written), end: wordList(`${written}\u{10ffff}`) };
  for (const list of stored.keys(tables.lists, { ...heads, limit: mostBegun })) {
    stems.add(wordOf(list));
  }
  const forms = { start: [written], end: [`${written}\u{10ffff}`], limit: mostBegun };
  for (const [, form] of stored.keys(tables.forms, forms)) stems.add(form);
  for (const stem of exact) stems.delete(stem);
  return [...stems].flatMap((begun) => openList(stored, kept, wordList(begun)) ?? []);
};

const categoriesOf = (
  { stored, kept, categoryWords }: SearchMoment,
  { written, stem }: Word,
  asPrefix: boolean,
): readonly List[] => {
  const ids = categoryWords(stem, asPrefix ? written : undefined);
  return [...ids].flatMap((id) => openList(stored, kept, categoryList(id)) ?? []);
};

/** Most words that one is taken for. */
const mostMeant = 3;

/** Only a single word is corrected: its last part, where it is a phrase, is too little to go by. */
const correct = (moment: SearchMoment, slot: Slot): Resolved => {
  const [word, ...more] = slot.words;
  const errors = word && more.length === 0 ? errorsIn(word.written) : 0;
  const near = word && errors > 0 ? moment.dictionary().near(word.written, errors) : [];
  const corrected = commonest(moment, near).map(({ written }) => written);
  const meant = corrected.map((written) => correctedSource(moment, written));
  return { source: anyOf(meant.filter(({ count }) => count > 0)), corrected };
};

/** Of the nearest words those that most products say; words further away only when none is nearer. */
const commonest = (moment: SearchMoment, near: readonly Spelled[]): readonly Spelled[] => {
  const { stored, kept } = moment;
  return near
    .filter(({ errors }) => errors === near[0]?.errors)
    .map((spelled) => ({
      spelled,
      count: openList(stored, kept, wordList(spelled.stem))?.forms().get(spelled.written) ?? 0,
    }))
    .sort((a, b) => b.count - a.count || (a.spelled.written < b.spelled.written ? -1 : 1))
    .slice(0, mostMeant)
    .map(({ spelled }) => spelled);
};

/** How much a corrected word counts beside one that was meant as written, in sixteenths. */
const correctedCounts = 11;

const correctedSource = (moment: SearchMoment, written: string): Source => {
  const { stored, kept } = moment;
  const stems = stemsOf(moment, { written, stem: written });
  const lists = [...stems].flatMap((stem) => openList(stored, kept, wordList(stem)) ?? []);
  return weakened(lists, correctedCounts);
};
