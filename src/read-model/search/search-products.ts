import { hashOfText } from "../../text/hash.ts";
import type { ProductFilters, Understood } from "../reader/reader.ts";
import { tables } from "../schema/tables.ts";
import { everyId, filterSources, withIdentifier } from "./filters.ts";
import { type Ids, idsOf } from "./postings/doc-ids.ts";
import { conjunction, idSource, noSource, type Source } from "./postings/posting-source.ts";
import { noPostings } from "./postings/postings.ts";
import { isIndexedIn, isRatherOneIn, type Lexicon, planOf, type Slot } from "./query-plan.ts";
import { type Ranked, rankedByPayload, rankedOf } from "./ranked-results.ts";
import { relax, relaxedAs, weightOf } from "./relaxed-match.ts";
import { isMeantBy, type Resolved, resolveAll } from "./resolve-terms.ts";
import { rankOfOne, ranksOf, rarityOf } from "./scoring.ts";
import type { SearchMoment } from "./term-query.ts";
import { stemmerOf } from "./text/stemmer.ts";
import type { Thesaurus } from "./text/synonyms.ts";
import { identifierOf, wordsOf } from "./text/tokenizer.ts";

export interface FindMoment extends SearchMoment {
  readonly thesaurus: (language: string | undefined) => Thesaurus;
}

export interface Asked extends ProductFilters {
  readonly query?: string;
  /** Whether partial matches are returned when no product matches the whole query. */
  readonly relax?: boolean;
}

/**
 * How the first page interpreted the query (IDFs, corrections, minimum weight). The cursor carries it, so that later
 * pages rank the same way while other products change: scores depend on it, on the query, on each product and on the
 * names of its categories alone.
 */
export interface Pinned {
  /** IDF of each query term, in the sequence of the query. */
  readonly rarities: readonly number[];
  /** Corrections of each query term. */
  readonly corrected: readonly (readonly string[])[];
  /** Minimum weight of a relaxed match; 0 when all terms have to match. */
  readonly least: number;
  /** Terms that were looked up and are in the catalogue: model numbers, joined or as the query spells them. */
  readonly joined: readonly string[];
  /** 32-bit hash of the query. */
  readonly asks: number;
}

/** Products that match a request. */
export interface Found {
  readonly count: number;
  /** Reads all ids, ascending. */
  ids(): Ids;
  /** Scores of the products; undefined without a text query. */
  readonly ranked: Ranked | undefined;
  readonly pinned: Pinned;
  readonly understood: Understood;
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
export const findProducts = (
  context: FindMoment,
  request: Asked,
  interpretation?: Pinned,
): Found | undefined => {
  const filters = filterSources(context, request);
  const query = request.query?.trim() ?? "";
  if (query === "") {
    const ids = findFilteredIds(context, filters);
    return toUnrankedResult(ids);
  }
  const queryHash = hashOfText(query);
  const indexedTerms: string[] = [];
  const hasTerm = interpretation
    ? (word: string) => interpretation.joined.includes(word)
    : isIndexedIn(context);
  const isIndexed = (word: string, asPrefix?: boolean) =>
    hasTerm(word, asPrefix) && indexedTerms.push(word) > 0;
  const toTokens = createTokenizer(context);
  const hasCompound: Lexicon["isRatherOne"] = interpretation
    ? (_, { written: surface }) => interpretation.joined.includes(surface)
    : isRatherOneIn(context, toTokens);
  const prefersCompound: Lexicon["isRatherOne"] = (two, one) =>
    hasCompound(two, one) && indexedTerms.push(one.written) > 0;
  const thesaurus = context.thesaurus(readLanguage(context));
  const terms = planOf(toTokens(query).slice(0, maxTokens), {
    thesaurus,
    isIndexed,
    isRatherOne: prefersCompound,
    wordsIn: toTokens,
  });
  if (
    interpretation &&
    (interpretation.asks !== queryHash || interpretation.rarities.length !== terms.length)
  )
    return undefined;
  if (interpretation && interpretation.least > 0 && !request.relax) return undefined;
  if (interpretation?.corrected.some((words, at) => !isMeantBy(terms[at], words))) return undefined;
  const resolved = resolveAll(context, terms, interpretation?.corrected);
  const productCount = context.stored.get(tables.counters, "products") ?? 0;
  const idfs =
    interpretation?.rarities ?? resolved.map(({ source }) => rarityOf(source.count, productCount));
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
  if (interpretation && interpretation.least > 0) {
    return searchRelaxed(queryContext, interpretation.least);
  }
  const all = matchAllTerms(queryContext, query);
  if (all.count > 0 || interpretation || !request.relax) return all;
  return searchRelaxed(queryContext, undefined);
};

const findFilteredIds = ({ stored }: FindMoment, filters: readonly Source[]): Ids =>
  filters.length > 0 ? conjunction(filters).ids : idsOf(everyId(stored));

const toUnrankedResult = (ids: Ids): Found => ({
  count: ids.length,
  ids: () => ids,
  ranked: undefined,
  pinned: { rarities: [], corrected: [], least: 0, joined: [], asks: 0 },
  understood: { corrected: [], unknown: [], relaxed: false },
});

const readLanguage = ({ stored }: FindMoment): string | undefined =>
  stored.get(tables.settings, "settings")?.content?.language;

const createTokenizer = (context: FindMoment): Lexicon["wordsIn"] => {
  const stemmer = stemmerOf(readLanguage(context));
  return (text) => wordsOf(text, stemmer);
};

interface QueryContext {
  readonly context: FindMoment;
  readonly filters: readonly Source[];
  readonly terms: readonly Slot[];
  readonly resolved: readonly Resolved[];
  readonly idfs: readonly number[];
  /** All products of the catalogue. */
  readonly productCount: number;
  readonly indexedTerms: readonly string[];
  readonly queryHash: number;
}

const matchAllTerms = (query: QueryContext, text: string): Found => {
  const { context, filters, resolved, idfs } = query;
  const sources = resolved.map(({ source }) => source);
  const exact = conjunction([
    idSource(withIdentifier(context.stored, identifierOf(text))),
    ...filters,
  ]).ids;
  const [first, ...others] = sources;
  const overlay = others.length + filters.length + exact.length === 0 && first?.layers?.();
  if (overlay) {
    const [idf = 0] = idfs;
    return buildResult(
      query,
      rankedByPayload(overlay, (payload) => rankOfOne(payload, idf)),
      0,
    );
  }
  const matching = sources.length === 0 ? emptyIntersection : conjunction([...sources, ...filters]);
  const payloads = matching.payloads.slice(0, sources.length);
  const scores = ranksOf(matching.ids.length, payloads, idfs);
  if (exact.length === 0) return buildResult(query, rankedOf(matching.ids, scores), 0);
  const result = buildResult(query, raiseExact(matching.ids, scores, exact), 0);
  // A product with this number was found, so its words are not reported as unknown.
  return { ...result, understood: { ...result.understood, unknown: [] } };
};

const emptyIntersection = { ids: noPostings.ids, payloads: [] };

const raiseExact = (ids: Ids, scores: Uint32Array, exact: Ids): Ranked => {
  const scoreById = new Map<number, number>();
  for (const [at, id] of ids.entries()) scoreById.set(id, scores[at] as number);
  for (const id of exact) scoreById.set(id, exactMatchScore + (scoreById.get(id) ?? 0));
  const sorted = [...scoreById].sort(([a], [b]) => a - b);
  return rankedOf(
    idsOf(sorted.map(([id]) => id)),
    Uint32Array.from(sorted, ([, score]) => score),
  );
};

const searchRelaxed = (
  query: QueryContext,
  pinnedMinWeight: number | undefined,
): Found | undefined => {
  const { filters, resolved, productCount } = query;
  const selectedIdfs = selectIdfs(query);
  // Terms without products keep their index. The adjacency of terms must not change with other products.
  const weightedTerms = resolved.map(({ source, corrected: corrections }, at) => {
    const idf = selectedIdfs[at] as number;
    return idf === 0 ? excludedTerm : { source, weight: weightOf(idf, corrections.length > 0) };
  });
  const match =
    pinnedMinWeight === undefined
      ? relax(weightedTerms, filters, productCount)
      : relaxedAs(weightedTerms, filters, productCount, pinnedMinWeight);
  if (!match) return undefined;
  const { ids, payloads, least: minWeight, counting: countedIndexes } = match;
  const idfs = selectedIdfs.map((idf, at) => (countedIndexes.has(at) ? idf : 0));
  const scores = ranksOf(ids.length, payloads, idfs);
  return buildResult({ ...query, idfs }, rankedOf(ids, scores), minWeight);
};

/** Limits the terms of a relaxed match to the rarest with products. Each candidate is looked up in all of them. */
const maxRelaxedTerms = 12;

const excludedTerm = { source: noSource, weight: 0 };

/**
 * Sets the IDF of the terms that do not count to 0. Terms without products come last, because they may get products
 * between two pages; so later pages ignore the same terms as the first.
 */
const selectIdfs = ({ resolved, idfs }: QueryContext): readonly number[] => {
  const hasNoProducts = (at: number): number =>
    Number((resolved[at] as Resolved).source.count === 0);
  const byPriority = idfs
    .map((idf, at) => ({ idf, at }))
    .filter(({ idf }) => idf > 0)
    .sort((a, b) => hasNoProducts(a.at) - hasNoProducts(b.at) || b.idf - a.idf || a.at - b.at);
  const selected = new Set(byPriority.slice(0, maxRelaxedTerms).map(({ at }) => at));
  return idfs.map((idf, at) => (selected.has(at) ? idf : 0));
};

const buildResult = (
  { terms, resolved, idfs, indexedTerms, queryHash }: QueryContext,
  ranking: Ranked,
  minWeight: number,
): Found => {
  const corrections = resolved.map((term) => term.corrected);
  const texts = terms.map((term) => term.words.map(({ written }) => written).join(" "));
  return {
    count: ranking.count,
    ids: ranking.ids,
    ranked: ranking,
    pinned: {
      rarities: idfs,
      corrected: corrections,
      least: minWeight,
      joined: indexedTerms,
      asks: queryHash,
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
