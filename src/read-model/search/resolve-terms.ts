import { allOf, anyOf, type Source } from "./postings/posting-source.ts";
import type { Slot } from "./query-plan.ts";
import { correctedSource, countOf, type SearchMoment, wordSource } from "./term-query.ts";
import { distanceFrom, errorsIn } from "./text/edit-distance.ts";
import type { Spelled } from "./text/spelling-dictionary.ts";
import { partedIn } from "./text/split-compound.ts";
import type { Word } from "./text/tokenizer.ts";

/** A query term with the source of its products. */
export interface Resolved {
  readonly source: Source;
  /** Words of the catalogue that replace the term, because no product has it as spelled. */
  readonly corrected: readonly string[];
}

/** Each correction scans a good part of the dictionary. */
export const mostMistyped = 8;

/**
 * Finds the products of each term: by any form of a token, by prefix for the last token, by category name, and by
 * alternatives. A correction is searched only when all of these match nothing.
 * @param pinnedCorrections corrections that the first page chose; undefined to search for them
 */
export const resolveAll = (
  context: SearchMoment,
  terms: readonly Slot[],
  pinnedCorrections?: readonly (readonly string[])[],
): readonly Resolved[] => {
  let correctionCount = 0;
  return terms.map((term, at): Resolved => {
    const source = resolveUncorrected(context, term);
    if (pinnedCorrections) return resolvePinned(context, source, pinnedCorrections[at] ?? []);
    const canCorrect = source.count === 0 && correctionCount < mostMistyped;
    if (!canCorrect) return { source, corrected: [] };
    correctionCount += 1;
    return correctTerm(context, term);
  });
};

const resolvePinned = (
  context: SearchMoment,
  source: Source,
  corrections: readonly string[],
): Resolved => {
  const correctedSources = corrections.map((surface) => correctedSource(context, surface));
  return { source: anyOf([source, ...correctedSources]), corrected: corrections };
};

const resolveUncorrected = (context: SearchMoment, term: Slot): Source =>
  anyOf(
    [
      phraseSource(context, term.words, term.asPrefix),
      ...term.alternatives.map((words) => phraseSource(context, words, false)),
    ].filter(({ count }) => count > 0),
  );

const phraseSource = (context: SearchMoment, words: readonly Word[], asPrefix: boolean): Source =>
  allOf(words.map((token, at) => wordSource(context, token, asPrefix && at === words.length - 1)));

/** Words of the catalogue that replace one term at most. */
export const mostMeant = 3;

/**
 * Gets the token of a term that may be corrected.
 * @returns undefined for a phrase, because its last token alone is too little evidence
 */
const getCorrectableToken = ({ words: [token, ...more] }: Slot): Word | undefined =>
  // A different digit means another model, not a typing error.
  more.length === 0 && token && !/\d/.test(token.written) ? token : undefined;

const correctTerm = (context: SearchMoment, term: Slot): Resolved => {
  const token = getCorrectableToken(term);
  const corrections = token ? (partedIn(context, token) ?? findCorrections(context, token)) : [];
  const correctedSources = corrections.map((surface) => correctedSource(context, surface));
  return {
    source: anyOf(correctedSources.filter(({ count }) => count > 0)),
    corrected: corrections,
  };
};

/**
 * Whether a term can have these corrections in any catalogue: each is within the allowed edits, or inserts a space.
 * The check is needed because a client could put the most common words into a cursor.
 */
export const isMeantBy = (term: Slot | undefined, corrections: readonly string[]): boolean => {
  if (corrections.length === 0) return true;
  const token = term && getCorrectableToken(term);
  return token !== undefined && corrections.every((correction) => isWithinEdits(token, correction));
};

const isWithinEdits = ({ written: surface, stem }: Word, correction: string): boolean =>
  [surface, stem].some((form) => {
    const maxEdits = errorsIn(form);
    if (correction.includes(" ")) return correction.replace(" ", "") === form;
    return maxEdits > 0 && distanceFrom(form)(correction, maxEdits) <= maxEdits;
  });

/** Finds the nearest words, those of most products first. Words with the same first letter are preferred. */
const findCorrections = (context: SearchMoment, token: Word): readonly string[] => {
  const near = wordsNear(context, token, errorsIn, 1).map(({ written: surface }) => surface);
  const sameInitial = near.filter((surface) => surface[0] === token.written[0]);
  return (sameInitial.length > 0 ? sameInitial : near).slice(0, mostMeant);
};

/** A word of the catalogue near a query token, with its edits and its products. */
export interface Near {
  readonly written: string;
  readonly errors: number;
  readonly count: number;
}

/**
 * Finds words within some edits of a token or of its stem, in products or names of categories with products. The stem
 * counts because the catalogue may lack the plural of a word that was mistyped in the plural.
 * @param editLimit allowed edits in a text of that length
 * @param minCount words further away are left out when there are so many
 */
export const wordsNear = (
  context: SearchMoment,
  { written: surface, stem }: Word,
  editLimit: (text: string) => number,
  minCount: number,
): readonly Near[] => {
  const candidates = [...new Set([surface, stem])].flatMap((form) =>
    findCandidates(context, form, editLimit),
  );
  const maxErrors = Math.max(...candidates.map(({ errors }) => errors));
  const similar = new Map<string, Near>();
  for (let errors = 0; errors <= maxErrors && similar.size < minCount; errors += 1) {
    for (const candidate of candidates) {
      if (candidate.errors !== errors || similar.has(candidate.written)) continue;
      const count = countOf(context, candidate.written);
      if (count > 0) similar.set(candidate.written, { ...candidate, count });
    }
  }
  return [...similar.values()].sort(nearestFirst);
};

const findCandidates = (
  context: SearchMoment,
  form: string,
  editLimit: (text: string) => number,
): readonly Spelled[] => {
  const maxEdits = editLimit(form);
  if (maxEdits === 0) return [];
  return [context.dictionary(), context.categoryWords()].flatMap((words) =>
    words.near(form, maxEdits),
  );
};

/** Orders by edit distance, then by the number of products, the most first. */
export const nearestFirst = (a: Near, b: Near): number =>
  a.errors - b.errors || b.count - a.count || (a.written < b.written ? -1 : 1);
