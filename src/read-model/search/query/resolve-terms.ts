import type { PostingSource } from "../postings/posting-source.ts";
import { intersectAveraged } from "../postings/source-intersection.ts";
import { unionSources } from "../postings/source-union.ts";
import type { QuerySpelling } from "../ranking/scoring.ts";
import { markSpelling, type Token } from "../text/token.ts";
import { findCorrections } from "./corrections.ts";
import type { QueryTerm } from "./query-plan.ts";
import type { SearchContext } from "./search-context.ts";
import { maxSplitTerms, splitSources } from "./split-words.ts";
import { correctedTermSource, termSource } from "./term-source.ts";

export interface ResolvedTerm {
  readonly source: PostingSource;
  readonly spelling: QuerySpelling;
  readonly isStopWord: boolean;
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
  let correctedTerms = 0;
  const findWords = (term: QueryTerm, at: number, source: PostingSource): readonly string[] => {
    if (pinnedCorrections) return pinnedCorrections[at] ?? [];
    if (source.count > 0 || correctedTerms >= maxCorrectedTerms) return [];
    correctedTerms += 1;
    return findCorrections(context, term);
  };
  return terms.map((term, at): ResolvedTerm => {
    const source = resolveUncorrected(context, term, at < maxSplitTerms);
    const corrections = findWords(term, at, source);
    return {
      source: addCorrections(context, source, corrections),
      spelling: toSpelling(term),
      isStopWord: term.isStopWord,
      corrections,
    };
  });
};

const toSpelling = ({ tokens: [first], isStopWord }: QueryTerm): QuerySpelling => {
  const { spelling: mark = 0, isSigned = false, surface = "" } = first ?? {};
  const isAccented = !isStopWord && mark !== markSpelling(surface, surface);
  return { mark, signs: isSigned ? "signs" : isAccented ? "accents" : "none" };
};

const resolveUncorrected = (
  context: SearchContext,
  term: QueryTerm,
  isSplit: boolean,
): PostingSource =>
  unionSources(
    [
      phraseSource(context, term.tokens, term.isPrefix),
      ...term.alternatives.map((tokens) => phraseSource(context, tokens, false)),
      ...(isSplit ? splitTerm(context, term) : []),
    ].filter(hasProducts),
  );

const splitTerm = (
  context: SearchContext,
  { tokens: [token, ...more], isPrefix, isStopWord }: QueryTerm,
): readonly PostingSource[] =>
  !token || more.length > 0 || isStopWord ? [] : splitSources(context, token, isPrefix);

const phraseSource = (
  context: SearchContext,
  tokens: readonly Token[],
  asPrefix: boolean,
): PostingSource =>
  intersectAveraged(
    tokens.map((token, at) => termSource(context, token, asPrefix && at === tokens.length - 1)),
  );

const addCorrections = (
  context: SearchContext,
  source: PostingSource,
  corrections: readonly string[],
): PostingSource => {
  if (corrections.length === 0) return source;
  const sources = corrections.map((surface) => correctedTermSource(context, surface));
  return unionSources([source, ...sources].filter(hasProducts));
};

const hasProducts = ({ count }: PostingSource): boolean => count > 0;
