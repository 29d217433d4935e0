import type { SearchContext } from "./query/search-context.ts";
import { bySimilarity, findSimilarTerms } from "./query/similar-terms.ts";
import { termSource } from "./query/term-source.ts";
import { maxEditsFor } from "./text/edit-distance.ts";

const maxSuggestions = 5;

/** Limits the tokens that get suggestions: each scans a good part of the dictionary. */
const maxMissingTokens = 8;

/**
 * Suggests words of the catalogue for query tokens without products, one edit further away than corrections. A token
 * that the catalogue has, or that was corrected, gets none.
 */
export const suggestWords = (context: SearchContext, query: string): readonly string[] => {
  const tokens = new Map(context.toTokens(query).map((token) => [token.surface, token]));
  const missing = [...tokens.values()].filter(
    (token) => termSource(context, token, false).count === 0,
  );
  const similar = missing.slice(0, maxMissingTokens).flatMap((token) => {
    const words = findSimilarTerms(context, token, oneEditMore, maxSuggestions);
    return words[0] && words[0].edits <= maxEditsFor(token.surface) ? [] : words;
  });
  const sorted = similar.sort(bySimilarity);
  return [...new Set(sorted.map(({ surface }) => surface))].slice(0, maxSuggestions);
};

/** Allows a suggestion one edit more than a correction. */
const oneEditMore = (token: string): number => Math.min(2, maxEditsFor(token) + 1);
