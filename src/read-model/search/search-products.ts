import { hashString } from "../../text/hash.ts";
import type { QueryReport, SearchRequest } from "../schema/queries.ts";
import { tables } from "../schema/tables.ts";
import { buildFilterSources } from "./filters/filters.ts";
import type { DocIds } from "./postings/doc-ids.ts";
import type { PostingSource } from "./postings/posting-source.ts";
import { intersectSources } from "./postings/source-intersection.ts";
import { isInterpretationOf, type QueryInterpretation } from "./query/interpretation.ts";
import { isTermIndexed } from "./query/joined-words.ts";
import { planQuery, type QueryTerm } from "./query/query-plan.ts";
import { type ResolvedTerm, resolveTerms } from "./query/resolve-terms.ts";
import type { SearchContext } from "./query/search-context.ts";
import {
  matchAllTerms,
  matchSomeTerms,
  type QueryMatch,
  type ResolvedQuery,
} from "./query-match.ts";
import type { RankedResults } from "./ranking/ranked-results.ts";
import { computeIdf } from "./ranking/scoring.ts";

export interface SearchResult {
  readonly ids: DocIds;
  /** Scores of the products; undefined without a text query. */
  readonly ranking: RankedResults | undefined;
  readonly interpretation: QueryInterpretation;
  readonly understood: QueryReport;
}

export const noInterpretation: QueryInterpretation = {
  idfs: [],
  corrections: [],
  minWeight: 0,
  indexedTerms: [],
  queryHash: 0,
};

/** Tokens of a query that count. 200 characters can yield more, because normalisation expands some scripts. */
const maxTokens = 100;

/**
 * Searches the visible products.
 * @param interpretation how the first page interpreted the query
 * @returns undefined when `interpretation` is of another query, or not one that a first page could have
 */
export const searchProducts = (
  context: SearchContext,
  request: SearchRequest,
  interpretation?: QueryInterpretation,
): SearchResult | undefined => {
  const filters = buildFilterSources(context, request);
  const text = request.query?.trim() ?? "";
  const { relax = false } = request;
  if (text === "") return toUnrankedResult(findFilteredIds(context, filters));
  const queryHash = hashString(text);
  const indexedTerms: string[] = [];
  const isIndexed = (word: string): boolean => {
    const isFound = interpretation?.indexedTerms.includes(word) ?? isTermIndexed(context, word);
    return isFound && indexedTerms.push(word) > 0;
  };
  const terms = planQuery(context, context.toTokens(text).slice(0, maxTokens), isIndexed);
  if (interpretation && !isInterpretationOf(interpretation, terms, queryHash, relax)) {
    return undefined;
  }
  const resolved = resolveTerms(context, terms, interpretation?.corrections);
  const productCount = context.stored.get(tables.counters, "products") ?? 0;
  const idfs =
    interpretation?.idfs ?? resolved.map(({ source }) => computeIdf(source.count, productCount));
  const query: ResolvedQuery = { text, terms: resolved, idfs, filters, productCount };
  const match = matchQuery(context, query, relax, interpretation?.minWeight);
  return match && toResult(match, terms, resolved, { indexedTerms, queryHash });
};

const findFilteredIds = ({ allIds }: SearchContext, filters: readonly PostingSource[]): DocIds =>
  filters.length > 0 ? intersectSources(filters).ids : allIds();

const toUnrankedResult = (ids: DocIds): SearchResult => ({
  ids,
  ranking: undefined,
  interpretation: noInterpretation,
  understood: { corrected: [], unknown: [], relaxed: false, matched: [] },
});

/** A stop word without products is no unknown word, because it does not count then. */
const isUnknown = (term: ResolvedTerm | undefined): boolean =>
  term?.source.count === 0 && !term.isStopWord;

/** @param minWeight minimum weight of the first page; undefined on the first page */
const matchQuery = (
  { stored }: SearchContext,
  query: ResolvedQuery,
  relax: boolean,
  minWeight: number | undefined,
): QueryMatch | undefined => {
  if (minWeight !== undefined && minWeight > 0) return matchSomeTerms(query, minWeight);
  const all = matchAllTerms(stored, query);
  const isFinal = all.ranking.ids.length > 0 || minWeight !== undefined || !relax;
  return isFinal ? all : matchSomeTerms(query);
};

const toResult = (
  { ranking, idfs, minWeight, isIdentifier, matchedTerms }: QueryMatch,
  terms: readonly QueryTerm[],
  resolved: readonly ResolvedTerm[],
  lookedUp: Pick<QueryInterpretation, "indexedTerms" | "queryHash">,
): SearchResult => {
  const corrections = resolved.map((term) => term.corrections);
  const texts = terms.map(({ tokens }) => tokens.map(({ surface }) => surface).join(" "));
  return {
    ids: ranking.ids,
    ranking,
    interpretation: { idfs, corrections, minWeight, ...lookedUp },
    understood: {
      corrected: texts.flatMap((word, at) => {
        const words = corrections[at] ?? [];
        return words.length > 0 ? [{ word, words }] : [];
      }),
      // With a product of this number, the words of the query are not reported.
      unknown: isIdentifier ? [] : texts.filter((_, at) => isUnknown(resolved[at])),
      relaxed: minWeight > 0 && ranking.ids.length > 0,
      matched: texts.filter((_, at) => matchedTerms.has(at)),
    },
  };
};
