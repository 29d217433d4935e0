import type { SpellingMatch } from "../text/spelling-candidates.ts";
import type { Token } from "../text/token.ts";
import type { SearchContext } from "./search-context.ts";
import { countProductsWith } from "./term-source.ts";

/** A word of the catalogue near a query token, with its edits and its products. */
interface SimilarTerm extends SpellingMatch {
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
    findCandidates(context, form, editLimit(form)),
  );
  const maxErrors = candidates.reduce((most, { edits }) => Math.max(most, edits), 0);
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
  { dictionary, categoryTerms }: SearchContext,
  form: string,
  maxEdits: number,
): readonly SpellingMatch[] =>
  maxEdits === 0
    ? []
    : [dictionary(), categoryTerms()].flatMap((words) => words.findSimilar(form, maxEdits));

/** Compares by edit distance, then by the number of products, the most first. */
export const bySimilarity = (a: SimilarTerm, b: SimilarTerm): number =>
  a.edits - b.edits || b.count - a.count || (a.surface < b.surface ? -1 : 1);
