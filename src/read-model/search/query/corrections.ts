import { createEditDistance, maxEditsFor } from "../text/edit-distance.ts";
import type { Token } from "../text/token.ts";
import type { QueryTerm } from "./query-plan.ts";
import type { SearchContext } from "./search-context.ts";
import { findSimilarTerms } from "./similar-terms.ts";

/** Words of the catalogue that replace one term at most. */
export const maxCorrections = 3;

/** Finds the words of the catalogue that are nearest to a term without products. */
export const findCorrections = (context: SearchContext, term: QueryTerm): readonly string[] => {
  const token = getCorrectableToken(term);
  return token ? findNearWords(context, token) : [];
};

/**
 * Gets the token of a term that may be corrected.
 * @returns undefined for a phrase, because its last token alone is too little evidence
 */
const getCorrectableToken = ({
  tokens: [token, ...more],
  isStopWord,
}: QueryTerm): Token | undefined =>
  // A different digit means another model, not a typing error, and a common word of the language is no error.
  more.length === 0 && token && !isStopWord && !/\d/.test(token.surface) ? token : undefined;

/** Finds the nearest words, those of most products first. Words with the same first letter are preferred. */
const findNearWords = (context: SearchContext, token: Token): readonly string[] => {
  const near = findSimilarTerms(context, token, maxEditsFor, 1).map(({ surface }) => surface);
  const sameInitial = near.filter((surface) => surface[0] === token.surface[0]);
  return (sameInitial.length > 0 ? sameInitial : near).slice(0, maxCorrections);
};

/**
 * Whether a term can have these corrections in any catalogue: each is within the allowed edits.
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
    return maxEdits > 0 && createEditDistance(form)(correction, maxEdits) <= maxEdits;
  });
