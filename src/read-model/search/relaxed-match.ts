import type { DocIds } from "./postings/doc-ids.ts";
import type { PostingSource } from "./postings/posting-source.ts";
import { filterByMask } from "./postings/postings.ts";
import {
  countMarks,
  createCandidates,
  type RelaxedCandidates,
  totalCount,
} from "./relaxed-candidates.ts";

/** A query term and its weight; 0 excludes the term. */
export interface WeightedTerm {
  readonly source: PostingSource;
  readonly weight: number;
}

/**
 * Computes the weight of a term in a relaxed match. Weights are about equal, so that a query for the best boots does
 * not favour the two products with `best`; a rare term weighs somewhat more, a guessed one less.
 */
export const computeRelaxedWeight = (idf: number, isGuess: boolean): number =>
  (isGuess ? 12 : 16) + (idf >> 2);

/** Products whose matched terms reach a minimum total weight. */
export interface RelaxedMatch {
  readonly ids: DocIds;
  /** Payloads of each term, in the sequence of the terms; zeros for a term that does not count. */
  readonly payloads: readonly Uint16Array[];
  /** Minimum total weight of a product's matched terms. */
  readonly minWeight: number;
  /** Indexes of the terms that count. */
  readonly countedIndexes: ReadonlySet<number>;
}

/** Minimum weight as a share of the best product's weight, in tenths. */
const minMatchTenths = 7;

/**
 * Lookups of a product in a term that a first page makes at most. Lists of the rarest terms are scanned, as many as
 * this allows; each of their products is looked up in every term.
 */
const maxLookups = 240_000;

/**
 * Finds products whose matched terms reach a minimum total weight. If that needs more than `maxLookups`, the most
 * common terms are ignored; every result then contains one of the rarest terms, so no page scans other lists.
 * @param productCount all products of the catalogue
 */
export const matchRelaxed = (
  terms: readonly WeightedTerm[],
  filters: readonly PostingSource[],
  productCount: number,
): RelaxedMatch => {
  const candidates = createCandidates(filters);
  for (let byRarity = sortByRarity(terms); ; ) {
    byRarity = selectAffordable(terms, byRarity, productCount);
    const scanned = byRarity.slice(0, countScannable(terms, byRarity, productCount));
    const { ids, isAllLeft: isAllRemaining } = candidates.find(pickSources(terms, scanned));
    const isLast = isAllRemaining || scanned.length === byRarity.length;
    if (ids.length > 0 || isLast) {
      return dropCommonest(
        weighCandidates(terms, byRarity, ids),
        terms,
        byRarity,
        isLast ? byRarity.length : scanned.length,
      );
    }
    // No product that passes the filters has one of these terms, so they cannot rank it.
    byRarity = byRarity.slice(scanned.length);
  }
};

/** Sorts the indexes of the terms that count, the rarest first. */
const sortByRarity = (terms: readonly WeightedTerm[]): readonly number[] =>
  terms
    .flatMap(({ weight }, at) => (weight > 0 ? [at] : []))
    .sort((a, b) => countOfTerm(terms, a) - countOfTerm(terms, b) || a - b);

const countOfTerm = (terms: readonly WeightedTerm[], at: number): number =>
  (terms[at] as WeightedTerm).source.count;

const pickSources = (
  terms: readonly WeightedTerm[],
  indexes: readonly number[],
): readonly PostingSource[] => indexes.map((at) => (terms[at] as WeightedTerm).source);

/**
 * Selects the terms in which all products of the rarest term can be looked up. Terms without products are dropped,
 * too, unless all terms are selected.
 */
const selectAffordable = (
  terms: readonly WeightedTerm[],
  byRarity: readonly number[],
  productCount: number,
): readonly number[] => {
  const matching = byRarity.filter((at) => countOfTerm(terms, at) > 0);
  const rarestCount = Math.min(
    productCount,
    matching[0] === undefined ? 0 : countOfTerm(terms, matching[0]),
  );
  if (rarestCount * byRarity.length <= maxLookups) return byRarity;
  return matching.slice(0, Math.max(1, Math.floor(maxLookups / rarestCount)));
};

/** Counts the terms whose lists can be scanned, at least one of them with products. */
const countScannable = (
  terms: readonly WeightedTerm[],
  byRarity: readonly number[],
  productCount: number,
): number => {
  let [scanned, candidates] = [0, 0];
  for (const at of byRarity) {
    const next = candidates + countOfTerm(terms, at);
    if (candidates > 0 && Math.min(next, productCount) * byRarity.length > maxLookups) break;
    candidates = next;
    scanned += 1;
  }
  return scanned;
};

/**
 * Drops the most common terms until a product without any scanned term cannot reach the minimum weight.
 * @param scanned number of scanned terms
 */
const dropCommonest = (
  { ids, payloads, weights }: WeighedCandidates,
  terms: readonly WeightedTerm[],
  byRarity: readonly number[],
  scanned: number,
): RelaxedMatch => {
  const counted = [...byRarity];
  let restWeight = byRarity
    .slice(scanned)
    .reduce((sum, at) => sum + (terms[at] as WeightedTerm).weight, 0);
  for (let minWeight = computeMinWeight(weights); ; minWeight = computeMinWeight(weights)) {
    const last = restWeight >= minWeight ? counted.pop() : undefined;
    if (last === undefined) {
      return {
        ...filterByWeight({ ids, payloads, weights }, minWeight),
        minWeight,
        countedIndexes: new Set(counted),
      };
    }
    const { weight } = terms[last] as WeightedTerm;
    addWeight(payloads[last] as Uint16Array, weights, -weight);
    payloads[last] = new Uint16Array(ids.length);
    restWeight -= weight;
  }
};

const computeMinWeight = (weights: Float64Array): number => {
  const best = weights.reduce((max, weight) => Math.max(max, weight), 0);
  return Math.max(1, Math.ceil((best * minMatchTenths) / 10));
};

/**
 * Repeats a relaxed match for a later page.
 * @param minWeight minimum weight that the first page computed
 * @returns undefined when no first page could have computed it, because it needs more than twice `maxLookups`
 */
export const matchRelaxedFrom = (
  terms: readonly WeightedTerm[],
  filters: readonly PostingSource[],
  productCount: number,
  minWeight: number,
): RelaxedMatch | undefined => {
  const byRarity = sortByRarity(terms);
  const needed = pickSources(terms, byRarity.slice(0, countNeeded(minWeight, terms, byRarity)));
  const candidates = createCandidates(filters);
  if (!isAffordable(needed, byRarity.length, productCount, candidates)) return undefined;
  const weighed = weighCandidates(terms, byRarity, candidates.find(needed).ids);
  return { ...filterByWeight(weighed, minWeight), minWeight, countedIndexes: new Set(byRarity) };
};

/** Counts the rarest terms of which a product must match one: without any of them it weighs less than `minWeight`. */
const countNeeded = (
  minWeight: number,
  terms: readonly WeightedTerm[],
  byRarity: readonly number[],
): number => {
  let restWeight = byRarity.reduce((sum, at) => sum + (terms[at] as WeightedTerm).weight, 0);
  let needed = 0;
  while (needed < byRarity.length && restWeight >= minWeight) {
    restWeight -= (terms[byRarity[needed] as number] as WeightedTerm).weight;
    needed += 1;
  }
  return needed;
};

const isAffordable = (
  sources: readonly PostingSource[],
  termCount: number,
  productCount: number,
  candidates: RelaxedCandidates,
): boolean => {
  const maxCandidates = (2 * maxLookups) / termCount;
  return (
    termCount <= 1 ||
    Math.min(totalCount(sources), productCount) <= maxCandidates ||
    candidates.countRemaining() <= maxCandidates
  );
};

/** Candidates with their payloads for each term and their total weights. */
interface WeighedCandidates {
  readonly ids: DocIds;
  readonly payloads: Uint16Array[];
  readonly weights: Float64Array;
}

const weighCandidates = (
  terms: readonly WeightedTerm[],
  byRarity: readonly number[],
  ids: DocIds,
): WeighedCandidates => {
  const weights = new Float64Array(ids.length);
  const payloads = terms.map((): Uint16Array => new Uint16Array(ids.length));
  for (const at of byRarity) {
    const { source, weight } = terms[at] as WeightedTerm;
    const matches = source.at(ids);
    addWeight(matches, weights, weight);
    payloads[at] = matches;
  }
  return { ids, payloads, weights };
};

const addWeight = (matches: Uint16Array, weights: Float64Array, weight: number): void => {
  for (let at = 0; at < matches.length; at += 1)
    if (matches[at] !== 0) weights[at] = (weights[at] as number) + weight;
};

const filterByWeight = (
  { ids, payloads, weights }: WeighedCandidates,
  minWeight: number,
): Pick<RelaxedMatch, "ids" | "payloads"> => {
  const marks = Uint8Array.from(weights, (weight) => Number(weight >= minWeight));
  const count = countMarks(marks);
  return {
    ids: filterByMask(ids, marks, count),
    payloads: payloads.map((values) => filterByMask(values, marks, count)),
  };
};
