import type { ReadTables } from "../store/store.ts";
import { findByIdentifier } from "./filters/products-by-identifier.ts";
import { type DocIds, emptyIds, toDocIds } from "./postings/doc-ids.ts";
import { emptySource, idSource, type PostingSource } from "./postings/posting-source.ts";
import { intersectSources, type SourceIntersection } from "./postings/source-intersection.ts";
import type { ResolvedTerm } from "./query/resolve-terms.ts";
import { type RankedResults, rankByScore } from "./ranking/ranked-results.ts";
import { matchRelaxed, matchRelaxedFrom } from "./ranking/relaxed-match.ts";
import { computeRelaxedWeight } from "./ranking/relaxed-weights.ts";
import { type ScoredTerm, scoreAll } from "./ranking/scoring.ts";

/** A query with the products of its terms and filters. */
export interface ResolvedQuery {
  readonly text: string;
  readonly terms: readonly ResolvedTerm[];
  /** IDF of each term. */
  readonly idfs: readonly number[];
  readonly filters: readonly PostingSource[];
  /** All products of the catalogue. */
  readonly productCount: number;
}

export interface QueryMatch {
  readonly ranking: RankedResults;
  /** IDF of each term; 0 for a term that does not count. */
  readonly idfs: readonly number[];
  /** Minimum weight of a relaxed match; 0 when all terms match. */
  readonly minWeight: number;
  /** Whether a product has the query as its reference or GTIN. */
  readonly isIdentifier: boolean;
  /** Indexes of the terms that products of a relaxed match have. */
  readonly matchedTerms: ReadonlySet<number>;
}

const noTerms: ReadonlySet<number> = new Set();

/** Score of an exact reference or GTIN, above all scores of terms. */
const exactMatchScore = 100_000_000;

/**
 * Ranks the products that match all terms and filters, and those whose reference or GTIN is the query. A stop word need not
 * match where other words remain, and counts for the rank.
 */
export const matchAllTerms = (
  stored: ReadTables,
  { text, terms, idfs, filters }: ResolvedQuery,
): QueryMatch => {
  const exact = intersectSources([idSource(findByIdentifier(stored, text)), ...filters]).ids;
  const isIdentifier = exact.length > 0;
  const { ids, payloads } = intersectTerms(terms, filters);
  const scores = scoreAll(ids.length, payloads, toScoredTerms(terms, idfs));
  return {
    ranking: isIdentifier ? raiseExact(ids, scores, exact) : rankByScore(ids, scores),
    idfs,
    minWeight: 0,
    isIdentifier,
    matchedTerms: noTerms,
  };
};

/** Intersects the terms that must match, and looks up the others. @returns the payloads of all terms, in their sequence */
const intersectTerms = (
  terms: readonly ResolvedTerm[],
  filters: readonly PostingSource[],
): SourceIntersection => {
  const required = requiredTerms(terms);
  if (required.length === 0) return noMatches;
  const sources = required.map(({ source }) => source);
  const { ids, payloads } = intersectSources([...sources, ...filters]);
  const columns = new Map(required.map((term, at) => [term, payloads[at]]));
  return { ids, payloads: terms.map((term) => columns.get(term) ?? term.source.at(ids)) };
};

/** Selects the terms that are no stop words, or all if there are no others. */
const requiredTerms = (terms: readonly ResolvedTerm[]): readonly ResolvedTerm[] => {
  const content = terms.filter(({ isStopWord }) => !isStopWord);
  return content.length > 0 ? content : terms;
};

const toScoredTerms = (
  terms: readonly ResolvedTerm[],
  idfs: readonly number[],
): readonly ScoredTerm[] => terms.map(({ spelling }, at) => ({ idf: idfs[at] ?? 0, ...spelling }));

const noMatches: SourceIntersection = { ids: emptyIds, payloads: [] };

const raiseExact = (ids: DocIds, scores: Uint32Array, exact: DocIds): RankedResults => {
  const scoreById = new Map<number, number>();
  for (const [at, id] of ids.entries()) scoreById.set(id, scores[at] ?? 0);
  for (const id of exact) scoreById.set(id, exactMatchScore + (scoreById.get(id) ?? 0));
  const sorted = [...scoreById].sort(([a], [b]) => a - b);
  return rankByScore(
    toDocIds(sorted.map(([id]) => id)),
    Uint32Array.from(sorted, ([, score]) => score),
  );
};

/**
 * Ranks the products that match a part of the terms, and all filters.
 * @param minWeight minimum weight that the first page computed; undefined on the first page
 * @returns undefined when no first page could have computed `minWeight`
 */
export const matchSomeTerms = (
  { terms, idfs, filters, productCount }: ResolvedQuery,
  minWeight?: number,
): QueryMatch | undefined => {
  const required = new Set(requiredTerms(terms));
  const selectedIdfs = selectIdfs(
    terms,
    idfs.map((idf, at) => (required.has(terms[at] as ResolvedTerm) ? idf : 0)),
  );
  // Terms without products keep their index. The adjacency of terms must not change with other products.
  const weightedTerms = terms.map(({ source, corrections }, at) => {
    const idf = selectedIdfs[at] ?? 0;
    if (idf === 0) return excludedTerm;
    return { source, weight: computeRelaxedWeight(idf, corrections.length > 0) };
  });
  const match =
    minWeight === undefined
      ? matchRelaxed(weightedTerms, filters, productCount)
      : matchRelaxedFrom(weightedTerms, filters, productCount, minWeight);
  if (!match) return undefined;
  const { ids, payloads, countedIndexes } = match;
  const countedIdfs = selectedIdfs.map((idf, at) => (countedIndexes.has(at) ? idf : 0));
  return {
    ranking: rankByScore(ids, scoreAll(ids.length, payloads, toScoredTerms(terms, countedIdfs))),
    idfs: countedIdfs,
    minWeight: match.minWeight,
    isIdentifier: false,
    matchedTerms: new Set(
      [...countedIndexes].filter((at) => payloads[at]?.some((payload) => payload !== 0)),
    ),
  };
};

/** Limits the terms of a relaxed match to the rarest with products. Each candidate is looked up in all of them. */
const maxRelaxedTerms = 12;

const excludedTerm = { source: emptySource, weight: 0 };

/**
 * Sets the IDF of the terms that do not count to 0. Terms without products come last, because they may get products
 * between two pages; so later pages ignore the same terms as the first.
 */
const selectIdfs = (terms: readonly ResolvedTerm[], idfs: readonly number[]): readonly number[] => {
  const byPriority = terms
    .map(({ source }, at) => ({ hasNone: Number(source.count === 0), idf: idfs[at] ?? 0, at }))
    .filter(({ idf }) => idf > 0)
    .sort((a, b) => a.hasNone - b.hasNone || b.idf - a.idf || a.at - b.at);
  const selected = new Set(byPriority.slice(0, maxRelaxedTerms).map(({ at }) => at));
  return idfs.map((idf, at) => (selected.has(at) ? idf : 0));
};
