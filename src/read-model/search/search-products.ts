import { hashString } from "../../text/hash.ts";
import type { ProductFilters, QueryReport } from "../schema/queries.ts";
import { tables } from "../schema/tables.ts";
import { buildFilterSources, findByIdentifier, readAllProductIds } from "./filters.ts";
import { type DocIds, toDocIds } from "./postings/doc-ids.ts";
import { emptySource, idSource, type PostingSource } from "./postings/posting-source.ts";
import { emptyPostings } from "./postings/postings.ts";
import { intersectSources } from "./postings/source-intersection.ts";
import {
  type CatalogueVocabulary,
  createCompoundCheck,
  createIndexedCheck,
  planQuery,
  type QueryTerm,
} from "./query-plan.ts";
import { type RankedResults, rankByScore } from "./ranking/ranked-results.ts";
import { matchRelaxed, matchRelaxedFrom } from "./ranking/relaxed-match.ts";
import { computeRelaxedWeight } from "./ranking/relaxed-weights.ts";
import { computeIdf, scoreAll, scoreSingle } from "./ranking/scoring.ts";
import { rankSingleTerm } from "./ranking/single-term-ranking.ts";
import { isPlausibleCorrection, type ResolvedTerm, resolveTerms } from "./resolve-terms.ts";
import type { SearchContext } from "./term-query.ts";
import { getStemmer } from "./text/stemmer.ts";
import type { Thesaurus } from "./text/synonyms.ts";
import { normaliseIdentifier, tokenize } from "./text/tokenizer.ts";

export interface ProductSearchContext extends SearchContext {
  readonly thesaurus: (language: string | undefined) => Thesaurus;
}

export interface SearchRequest extends ProductFilters {
  readonly query?: string;
  /** Whether partial matches are returned when no product matches the whole query. */
  readonly relax?: boolean;
}

/**
 * How the first page interpreted the query (IDFs, corrections, minimum weight). The cursor carries it, so that later
 * pages rank the same way while other products change: scores depend on it, on the query, on each product and on the
 * names of its categories alone.
 */
export interface QueryInterpretation {
  /** IDF of each query term, in the sequence of the query. */
  readonly idfs: readonly number[];
  /** Corrections of each query term. */
  readonly corrections: readonly (readonly string[])[];
  /** Minimum weight of a relaxed match; 0 when all terms have to match. */
  readonly minWeight: number;
  /** Terms that were looked up and are in the catalogue: model numbers, joined or as the query spells them. */
  readonly indexedTerms: readonly string[];
  /** 32-bit hash of the query. */
  readonly queryHash: number;
}

/** Products that match a request. */
export interface SearchResult {
  readonly count: number;
  /** Reads all ids, ascending. */
  ids(): DocIds;
  /** Scores of the products; undefined without a text query. */
  readonly ranking: RankedResults | undefined;
  readonly interpretation: QueryInterpretation;
  readonly understood: QueryReport;
}

/** Tokens of a query that count. 200 characters can yield more, because normalisation expands some scripts. */
const maxTokens = 100;

/** Score of an exact reference or GTIN, above all scores of terms. */
const exactMatchScore = 100_000_000;

/**
 * Searches the visible products.
 * @param interpretation how the first page interpreted the query
 * @returns undefined when `interpretation` is of another query, or not one that a first page could have
 */
export const searchProducts = (
  context: ProductSearchContext,
  request: SearchRequest,
  interpretation?: QueryInterpretation,
): SearchResult | undefined => {
  const filters = buildFilterSources(context, request);
  const query = request.query?.trim() ?? "";
  if (query === "") {
    const ids = findFilteredIds(context, filters);
    return toUnrankedResult(ids);
  }
  const queryHash = hashString(query);
  const indexedTerms: string[] = [];
  const hasTerm = interpretation
    ? (word: string) => interpretation.indexedTerms.includes(word)
    : createIndexedCheck(context);
  const isIndexed = (word: string, asPrefix?: boolean) =>
    hasTerm(word, asPrefix) && indexedTerms.push(word) > 0;
  const toTokens = createTokenizer(context);
  const hasCompound: CatalogueVocabulary["prefersCompound"] = interpretation
    ? (_, { surface }) => interpretation.indexedTerms.includes(surface)
    : createCompoundCheck(context, toTokens);
  const prefersCompound: CatalogueVocabulary["prefersCompound"] = (two, one) =>
    hasCompound(two, one) && indexedTerms.push(one.surface) > 0;
  const thesaurus = context.thesaurus(readLanguage(context));
  const terms = planQuery(toTokens(query).slice(0, maxTokens), {
    thesaurus,
    isIndexed,
    prefersCompound,
    toTokens,
  });
  if (
    interpretation &&
    (interpretation.queryHash !== queryHash || interpretation.idfs.length !== terms.length)
  )
    return undefined;
  if (interpretation && interpretation.minWeight > 0 && !request.relax) return undefined;
  if (interpretation?.corrections.some((words, at) => !isPlausibleCorrection(terms[at], words)))
    return undefined;
  const resolved = resolveTerms(context, terms, interpretation?.corrections);
  const productCount = context.stored.get(tables.counters, "products") ?? 0;
  const idfs =
    interpretation?.idfs ?? resolved.map(({ source }) => computeIdf(source.count, productCount));
  const queryContext: QueryContext = {
    context,
    filters,
    terms,
    resolved,
    idfs,
    productCount,
    indexedTerms,
    queryHash,
  };
  if (interpretation && interpretation.minWeight > 0) {
    return searchRelaxed(queryContext, interpretation.minWeight);
  }
  const all = matchAllTerms(queryContext, query);
  if (all.count > 0 || interpretation || !request.relax) return all;
  return searchRelaxed(queryContext, undefined);
};

const findFilteredIds = (
  { stored }: ProductSearchContext,
  filters: readonly PostingSource[],
): DocIds =>
  filters.length > 0 ? intersectSources(filters).ids : toDocIds(readAllProductIds(stored));

const toUnrankedResult = (ids: DocIds): SearchResult => ({
  count: ids.length,
  ids: () => ids,
  ranking: undefined,
  interpretation: { idfs: [], corrections: [], minWeight: 0, indexedTerms: [], queryHash: 0 },
  understood: { corrected: [], unknown: [], relaxed: false },
});

const readLanguage = ({ stored }: ProductSearchContext): string | undefined =>
  stored.get(tables.settings, "settings")?.content?.language;

const createTokenizer = (context: ProductSearchContext): CatalogueVocabulary["toTokens"] => {
  const stemmer = getStemmer(readLanguage(context));
  return (text) => tokenize(text, stemmer);
};

interface QueryContext {
  readonly context: ProductSearchContext;
  readonly filters: readonly PostingSource[];
  readonly terms: readonly QueryTerm[];
  readonly resolved: readonly ResolvedTerm[];
  readonly idfs: readonly number[];
  /** All products of the catalogue. */
  readonly productCount: number;
  readonly indexedTerms: readonly string[];
  readonly queryHash: number;
}

const matchAllTerms = (query: QueryContext, text: string): SearchResult => {
  const { context, filters, resolved, idfs } = query;
  const sources = resolved.map(({ source }) => source);
  const exact = intersectSources([
    idSource(findByIdentifier(context.stored, normaliseIdentifier(text))),
    ...filters,
  ]).ids;
  const [first, ...others] = sources;
  const overlay = others.length + filters.length + exact.length === 0 && first?.overlay?.();
  if (overlay) {
    const [idf = 0] = idfs;
    return buildResult(
      query,
      rankSingleTerm(overlay, (payload) => scoreSingle(payload, idf)),
      0,
    );
  }
  const matching =
    sources.length === 0 ? emptyIntersection : intersectSources([...sources, ...filters]);
  const payloads = matching.payloads.slice(0, sources.length);
  const scores = scoreAll(matching.ids.length, payloads, idfs);
  if (exact.length === 0) return buildResult(query, rankByScore(matching.ids, scores), 0);
  const result = buildResult(query, raiseExact(matching.ids, scores, exact), 0);
  // A product with this number was found, so its words are not reported as unknown.
  return { ...result, understood: { ...result.understood, unknown: [] } };
};

const emptyIntersection = { ids: emptyPostings.ids, payloads: [] };

const raiseExact = (ids: DocIds, scores: Uint32Array, exact: DocIds): RankedResults => {
  const scoreById = new Map<number, number>();
  for (const [at, id] of ids.entries()) scoreById.set(id, scores[at] as number);
  for (const id of exact) scoreById.set(id, exactMatchScore + (scoreById.get(id) ?? 0));
  const sorted = [...scoreById].sort(([a], [b]) => a - b);
  return rankByScore(
    toDocIds(sorted.map(([id]) => id)),
    Uint32Array.from(sorted, ([, score]) => score),
  );
};

const searchRelaxed = (
  query: QueryContext,
  pinnedMinWeight: number | undefined,
): SearchResult | undefined => {
  const { filters, resolved, productCount } = query;
  const selectedIdfs = selectIdfs(query);
  // Terms without products keep their index. The adjacency of terms must not change with other products.
  const weightedTerms = resolved.map(({ source, corrections }, at) => {
    const idf = selectedIdfs[at] as number;
    return idf === 0
      ? excludedTerm
      : { source, weight: computeRelaxedWeight(idf, corrections.length > 0) };
  });
  const match =
    pinnedMinWeight === undefined
      ? matchRelaxed(weightedTerms, filters, productCount)
      : matchRelaxedFrom(weightedTerms, filters, productCount, pinnedMinWeight);
  if (!match) return undefined;
  const { ids, payloads, minWeight, countedIndexes } = match;
  const idfs = selectedIdfs.map((idf, at) => (countedIndexes.has(at) ? idf : 0));
  const scores = scoreAll(ids.length, payloads, idfs);
  return buildResult({ ...query, idfs }, rankByScore(ids, scores), minWeight);
};

/** Limits the terms of a relaxed match to the rarest with products. Each candidate is looked up in all of them. */
const maxRelaxedTerms = 12;

const excludedTerm = { source: emptySource, weight: 0 };

/**
 * Sets the IDF of the terms that do not count to 0. Terms without products come last, because they may get products
 * between two pages; so later pages ignore the same terms as the first.
 */
const selectIdfs = ({ resolved, idfs }: QueryContext): readonly number[] => {
  const hasNoProducts = (at: number): number =>
    Number((resolved[at] as ResolvedTerm).source.count === 0);
  const byPriority = idfs
    .map((idf, at) => ({ idf, at }))
    .filter(({ idf }) => idf > 0)
    .sort((a, b) => hasNoProducts(a.at) - hasNoProducts(b.at) || b.idf - a.idf || a.at - b.at);
  const selected = new Set(byPriority.slice(0, maxRelaxedTerms).map(({ at }) => at));
  return idfs.map((idf, at) => (selected.has(at) ? idf : 0));
};

const buildResult = (
  { terms, resolved, idfs, indexedTerms, queryHash }: QueryContext,
  ranking: RankedResults,
  minWeight: number,
): SearchResult => {
  const corrections = resolved.map((term) => term.corrections);
  const texts = terms.map((term) => term.tokens.map(({ surface }) => surface).join(" "));
  return {
    count: ranking.count,
    ids: ranking.ids,
    ranking,
    interpretation: {
      idfs,
      corrections,
      minWeight,
      indexedTerms,
      queryHash,
    },
    understood: {
      corrected: texts.flatMap((word, at) => {
        const words = corrections[at] ?? [];
        return words.length > 0 ? [{ word, words }] : [];
      }),
      unknown: texts.filter((_, at) => resolved[at]?.source.count === 0),
      relaxed: minWeight > 0 && ranking.count > 0,
    },
  };
};
