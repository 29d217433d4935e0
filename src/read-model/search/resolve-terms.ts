import { allOf, anyOf, type Source } from "./postings/posting-source.ts";
import type { Slot } from "./query-plan.ts";
import { correctedSource, countOf, type SearchMoment, wordSource } from "./term-query.ts";
import { distanceFrom, errorsIn } from "./text/edit-distance.ts";
import type { Spelled } from "./text/spelling-dictionary.ts";
import { partedIn } from "./text/split-compound.ts";
import type { Word } from "./text/tokenizer.ts";

/** A slot with the products that match it. */
export interface Resolved {
  readonly source: Source;
  /** Words of the catalogue it was taken for, because no product says it as it was asked. */
  readonly corrected: readonly string[];
}

/** Words of one query that are corrected at most: each takes a look at a good part of the dictionary. */
export const mostMistyped = 8;

/**
 * Finds what matches each slot: the word in any of its forms, as the beginning of a word where it is the last one, in
 * the name of a category, in other words; only when all of that finds nothing, a word it may have been mistyped for.
 * @param pinned corrections that an earlier page of the same walk settled on; undefined to look for them
 */
export const resolveAll = (
  moment: SearchMoment,
  slots: readonly Slot[],
  pinned?: readonly (readonly string[])[],
): readonly Resolved[] => {
  let mistyped = 0;
  return slots.map((slot, at) => {
    const source = asSaid(moment, slot);
    if (pinned) return asPinned(moment, source, pinned[at] ?? []);
    const isLookedFor = source.count === 0 && mistyped < mostMistyped;
    if (!isLookedFor) return { source, corrected: [] };
    mistyped += 1;
    return correct(moment, slot);
  });
};

const asPinned = (moment: SearchMoment, said: Source, corrected: readonly string[]): Resolved => {
  const meant = corrected.map((written) => correctedSource(moment, written));
  return { source: anyOf([said, ...meant]), corrected };
};

const asSaid = (moment: SearchMoment, slot: Slot): Source =>
  anyOf(
    [
      phraseSource(moment, slot.words, slot.asPrefix),
      ...slot.alternatives.map((words) => phraseSource(moment, words, false)),
    ].filter(({ count }) => count > 0),
  );

const phraseSource = (moment: SearchMoment, words: readonly Word[], asPrefix: boolean): Source =>
  allOf(words.map((word, at) => wordSource(moment, word, asPrefix && at === words.length - 1)));

/** Most words that one is taken for. */
export const mostMeant = 3;

/** Only a single word is corrected: its last part, where it is a phrase, is too little to go by. */
const mistypedIn = ({ words: [word, ...more] }: Slot): Word | undefined =>
  // A digit more or less is another model, and no typing error.
  more.length === 0 && word && !/\d/.test(word.written) ? word : undefined;

const correct = (moment: SearchMoment, slot: Slot): Resolved => {
  const word = mistypedIn(slot);
  const corrected = word ? (partedIn(moment, word) ?? meantBy(moment, word)) : [];
  const meant = corrected.map((written) => correctedSource(moment, written));
  return { source: anyOf(meant.filter(({ count }) => count > 0)), corrected };
};

/**
 * Whether a slot may have been taken for these, whatever products say: each has as many errors as are forgiven, or a
 * space. What anybody writes into a cursor could be the commonest words there are.
 */
export const isMeantBy = (slot: Slot | undefined, corrected: readonly string[]): boolean => {
  if (corrected.length === 0) return true;
  const word = slot && mistypedIn(slot);
  return word !== undefined && corrected.every((meant) => isNear(word, meant));
};

const isNear = ({ written, stem }: Word, meant: string): boolean =>
  [written, stem].some((asked) => {
    const errors = errorsIn(asked);
    if (meant.includes(" ")) return meant.replace(" ", "") === asked;
    return errors > 0 && distanceFrom(asked)(meant, errors) <= errors;
  });

/** Of the nearest words those that most products say; of these, if there are any, those that begin with its letter. */
const meantBy = (moment: SearchMoment, word: Word): readonly string[] => {
  const near = wordsNear(moment, word, errorsIn, 1).map(({ written }) => written);
  const alike = near.filter((written) => written[0] === word.written[0]);
  return (alike.length > 0 ? alike : near).slice(0, mostMeant);
};

/** A word of the catalogue that another may have been mistyped for, and how many products it stands for. */
export interface Near {
  readonly written: string;
  readonly errors: number;
  readonly count: number;
}

/**
 * Words that products say, or that name a category with products, within some typing errors of a word or its stem: the
 * catalogue may have no plural of what was mistyped in the plural.
 * @param errorsOf how many errors a text of that length may hold
 * @param wanted words further away are left out where there are so many
 */
export const wordsNear = (
  moment: SearchMoment,
  { written, stem }: Word,
  errorsOf: (text: string) => number,
  wanted: number,
): readonly Near[] => {
  const known = [...new Set([written, stem])].flatMap((asked) => nearTo(moment, asked, errorsOf));
  const most = Math.max(...known.map(({ errors }) => errors));
  const found = new Map<string, Near>();
  for (let errors = 0; errors <= most && found.size < wanted; errors += 1) {
    for (const one of known) {
      if (one.errors !== errors || found.has(one.written)) continue;
      const count = countOf(moment, one.written);
      if (count > 0) found.set(one.written, { ...one, count });
    }
  }
  return [...found.values()].sort(nearestFirst);
};

const nearTo = (
  moment: SearchMoment,
  asked: string,
  errorsOf: (text: string) => number,
): readonly Spelled[] => {
  const errors = errorsOf(asked);
  if (errors === 0) return [];
  return [moment.dictionary(), moment.categoryWords()].flatMap((words) =>
    words.near(asked, errors),
  );
};

/** Of equally near words the one that most products say. */
export const nearestFirst = (a: Near, b: Near): number =>
  a.errors - b.errors || b.count - a.count || (a.written < b.written ? -1 : 1);
