import type { PostingSource } from "./postings/posting-source.ts";
import { intersectAveraged } from "./postings/source-intersection.ts";
import { unionSources } from "./postings/source-union.ts";
import type { QueryTerm } from "./query-plan.ts";
import {
  correctedTermSource,
  countProductsWith,
  type SearchContext,
  termSource,
} from "./term-query.ts";
import { createEditDistance, maxEditsFor } from "./text/edit-distance.ts";
import type { SpellingMatch } from "./text/spelling-dictionary.ts";
import { splitCompound } from "./text/split-compound.ts";
import type { Token } from "./text/tokenizer.ts";

/** A query term with the source of its products. */
export interface ResolvedTerm {
  readonly source: PostingSource;
  /** Words of the catalogue that replace the term, because no product has it as spelled. */
  readonly corrections: readonly string[];
}

/** Each correction scans a good part of the dictionary. */
export const maxCorrectedTerms = 8;

/**
 * Finds the products of each term: by any form of a token, by prefix for the last token, by category name, and by
 * alternatives. A correction is searched only when all of these match nothing.
 * @param pinnedCorrections corrections that the first page chose; undefined to search for them
 */
export const resolveTerms = (
  context: SearchContext,
  terms: readonly QueryTerm[],
  pinnedCorrections?: readonly (readonly string[])[],
): readonly ResolvedTerm[] => {
  let correctionCount = 0;
  return terms.map((term, at): ResolvedTerm => {
    const source = resolveUncorrected(context, term);
    if (pinnedCorrections) return resolvePinned(context, source, pinnedCorrections[at] ?? []);
    const canCorrect = source.count === 0 && correctionCount < maxCorrectedTerms;
    if (!canCorrect) return { source, corrections: [] };
    correctionCount += 1;
    return correctTerm(context, term);
  });
};

const resolvePinned = (
  context: SearchContext,
  source: PostingSource,
  corrections: readonly string[],
): ResolvedTerm => {
  const correctedSources = corrections.map((surface) => correctedTermSource(context, surface));
  return { source: unionSources([source, ...correctedSources]), corrections };
};

const resolveUncorrected = (context: SearchContext, term: QueryTerm): PostingSource =>
  unionSources(
    [
      phraseSource(context, term.tokens, term.isPrefix),
      ...term.alternatives.map((words) => phraseSource(context, words, false)),
    ].filter(({ count }) => count > 0),
  );

const phraseSource = (
  context: SearchContext,
  words: readonly Token[],
  asPrefix: boolean,
): PostingSource =>
  intersectAveraged(
    words.map((token, at) => termSource(context, token, asPrefix && at === words.length - 1)),
  );

/** Words of the catalogue that replace one term at most. */
export const maxCorrections = 3;

/**
 * Gets the token of a term that may be corrected.
 * @returns undefined for a phrase, because its last token alone is too little evidence
 */
const getCorrectableToken = ({ tokens: [token, ...more] }: QueryTerm): Token | undefined =>
  // A different digit means another model, not a typing error.
  more.length === 0 && token && !/\d/.test(token.surface) ? token : undefined;

const correctTerm = (context: SearchContext, term: QueryTerm): ResolvedTerm => {
  const token = getCorrectableToken(term);
  const corrections = token
    ? (splitCompound(context, token) ?? findCorrections(context, token))
    : [];
  const correctedSources = corrections.map((surface) => correctedTermSource(context, surface));
  return {
    source: unionSources(correctedSources.filter(({ count }) => count > 0)),
    corrections,
  };
};

/**
 * Whether a term can have these corrections in any catalogue: each is within the allowed edits, or inserts a space.
 * The check is needed because a client could put the most common words into a cursor.
 */
export const isPlausibleCorrection = (
  term: QueryTerm | undefined,
  corrections: readonly string[],
): boolean => {
  if (corrections.length === 0) return true;
  const token = term && getCorrectableToken(term);
  return token !== undefined && corrections.every((correction) => isWithinEdits(token, correction));
};

const isWithinEdits = ({ surface, stem }: Token, correction: string): boolean =>
  [surface, stem].some((form) => {
    const maxEdits = maxEditsFor(form);
    if (correction.includes(" ")) return correction.replace(" ", "") === form;
    return maxEdits > 0 && createEditDistance(form)(correction, maxEdits) <= maxEdits;
  });

/** Finds the nearest words, those of most products first. Words with the same first letter are preferred. */
const findCorrections = (context: SearchContext, token: Token): readonly string[] => {
  const near = findSimilarTerms(context, token, maxEditsFor, 1).map(({ surface }) => surface);
  const sameInitial = near.filter((surface) => surface[0] === token.surface[0]);
  return (sameInitial.length > 0 ? sameInitial : near).slice(0, maxCorrections);
};

/** A word of the catalogue near a query token, with its edits and its products. */
export interface SimilarTerm {
  readonly surface: string;
  readonly edits: number;
  readonly count: number;
}

/**
 * Finds words within some edits of a token or of its stem, in products or names of categories with products. The stem
 * counts because the catalogue may lack the plural of a word that was mistyped in the plural.
 * @param editLimit allowed edits in a text of that length
 * @param minCount words further away are left out when there are so many
 */
export const findSimilarTerms = (
  context: SearchContext,
  { surface, stem }: Token,
  editLimit: (text: string) => number,
  minCount: number,
): readonly SimilarTerm[] => {
  const candidates = [...new Set([surface, stem])].flatMap((form) =>
    findCandidates(context, form, editLimit),
  );
  const maxErrors = Math.max(...candidates.map(({ edits }) => edits));
  const similar = new Map<string, SimilarTerm>();
  for (let errors = 0; errors <= maxErrors && similar.size < minCount; errors += 1) {
    for (const candidate of candidates) {
      if (candidate.edits !== errors || similar.has(candidate.surface)) continue;
      const count = countProductsWith(context, candidate.surface);
      if (count > 0) similar.set(candidate.surface, { ...candidate, count });
    }
  }
  return [...similar.values()].sort(bySimilarity);
};

const findCandidates = (
  context: SearchContext,
  form: string,
  editLimit: (text: string) => number,
): readonly SpellingMatch[] => {
  const maxEdits = editLimit(form);
  if (maxEdits === 0) return [];
  return [context.dictionary(), context.categoryTerms()].flatMap((words) =>
    words.findSimilar(form, maxEdits),
  );
};

/** Orders by edit distance, then by the number of products, the most first. */
export const bySimilarity = (a: SimilarTerm, b: SimilarTerm): number =>
  a.edits - b.edits || b.count - a.count || (a.surface < b.surface ? -1 : 1);
