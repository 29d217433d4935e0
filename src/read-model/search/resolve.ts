import type { Slot } from "./plan.ts";
import { allOf, anyOf, type Source } from "./sources.ts";
import { errorsIn } from "./typing.ts";
import { correctedSource, countOf, type SearchMoment, wordSource } from "./word-source.ts";
import type { Word } from "./words.ts";

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

/** Most words that one is taken for. */
const mostMeant = 3;

/** Only a single word is corrected: its last part, where it is a phrase, is too little to go by. */
const correct = (moment: SearchMoment, slot: Slot): Resolved => {
  const [word, ...more] = slot.words;
  const errors = word && more.length === 0 ? errorsIn(word.written) : 0;
  const corrected = word && errors > 0 ? meantBy(moment, word.written, errors) : [];
  const meant = corrected.map((written) => correctedSource(moment, written));
  return { source: anyOf(meant.filter(({ count }) => count > 0)), corrected };
};

/** Of the nearest words those that most products say; words further away only when none is nearer. */
const meantBy = (moment: SearchMoment, asked: string, errors: number): readonly string[] =>
  wordsNear(moment, asked, errors, 1)
    .slice(0, mostMeant)
    .map(({ written }) => written);

/** A word of the catalogue that another may have been mistyped for, and how many products it stands for. */
export interface Near {
  readonly written: string;
  readonly errors: number;
  readonly count: number;
}

/**
 * Words that products say, or that name a category with products, within so many typing errors.
 * @param wanted words further away are left out where there are so many
 */
export const wordsNear = (
  moment: SearchMoment,
  asked: string,
  errors: number,
  wanted: number,
): readonly Near[] => {
  const known = [moment.dictionary(), moment.categoryWords()].flatMap((words) =>
    words.near(asked, errors),
  );
  const found: Near[] = [];
  for (let apart = 0; apart <= errors && found.length < wanted; apart += 1) {
    const words = known.filter((one) => one.errors === apart).map(({ written }) => written);
    for (const written of new Set(words)) {
      const count = countOf(moment, written);
      if (count > 0) found.push({ written, errors: apart, count });
    }
  }
  return found.sort(nearestFirst);
};

/** Of equally near words the one that most products say. */
export const nearestFirst = (a: Near, b: Near): number =>
  a.errors - b.errors || b.count - a.count || (a.written < b.written ? -1 : 1);
