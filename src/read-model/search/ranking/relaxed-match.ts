import type { DocIds } from "../postings/doc-ids.ts";
import type { PostingSource } from "../postings/posting-source.ts";
import { createCandidates } from "./relaxed-candidates.ts";
import { countNeeded, countScannable, isAffordable, selectAffordable } from "./relaxed-cost.ts";
import {
  type CountedTerm,
  computeMinWeight,
  filterByWeight,
  removeTerm,
  sumWeights,
  type WeighedCandidates,
  type WeightedTerm,
  weighCandidates,
} from "./relaxed-weights.ts";

/** Products whose matched terms reach a minimum total weight. */
interface RelaxedMatch {
  readonly ids: DocIds;
  /** Payloads of each term, in the sequence of the terms; zeros for a term that does not count. */
  readonly payloads: readonly Uint32Array[];
  /** Minimum total weight of a product's matched terms. */
  readonly minWeight: number;
  readonly countedIndexes: ReadonlySet<number>;
}

/**
 * Finds products whose matched terms reach a minimum total weight. If that needs too many lookups, the most common
 * terms are ignored; every result then contains one of the rarest terms, so no page scans other lists.
 * @param productCount all products of the catalogue
 */
export const matchRelaxed = (
  terms: readonly WeightedTerm[],
  filters: readonly PostingSource[],
  productCount: number,
): RelaxedMatch => {
  const candidates = createCandidates(filters);
  for (let byRarity = sortByRarity(terms); ; ) {
    byRarity = selectAffordable(byRarity, productCount);
    const scanned = countScannable(byRarity, productCount);
    const { ids, isAllLeft } = candidates.find(byRarity.slice(0, scanned));
    const isLast = isAllLeft || scanned === byRarity.length;
    if (ids.length > 0 || isLast) {
      const unscanned = isLast ? [] : byRarity.slice(scanned);
      return dropCommonest(weighCandidates(ids, byRarity, terms.length), byRarity, unscanned);
    }
    // No product that passes the filters has one of these terms, so they cannot rank it.
    byRarity = byRarity.slice(scanned);
  }
};

const sortByRarity = (terms: readonly WeightedTerm[]): readonly CountedTerm[] =>
  terms
    .map((term, index) => ({ ...term, index }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => a.source.count - b.source.count || a.index - b.index);

/** Drops the most common terms until a product without any scanned term cannot reach the minimum weight. */
const dropCommonest = (
  weighed: WeighedCandidates,
  byRarity: readonly CountedTerm[],
  unscanned: readonly CountedTerm[],
): RelaxedMatch => {
  const counted = [...byRarity];
  let unscannedWeight = sumWeights(unscanned);
  let minWeight = computeMinWeight(weighed);
  while (unscannedWeight >= minWeight) {
    const last = counted.pop();
    if (!last) break;
    removeTerm(weighed, last);
    unscannedWeight -= last.weight;
    minWeight = computeMinWeight(weighed);
  }
  return toMatch(weighed, minWeight, counted);
};

const toMatch = (
  weighed: WeighedCandidates,
  minWeight: number,
  counted: readonly CountedTerm[],
): RelaxedMatch => ({
  ...filterByWeight(weighed, minWeight),
  minWeight,
  countedIndexes: new Set(counted.map(({ index }) => index)),
});

/**
 * Repeats a relaxed match for a later page.
 * @param minWeight minimum weight that the first page computed
 * @returns undefined when no first page could have computed it, because it needs more than twice the lookups
 */
export const matchRelaxedFrom = (
  terms: readonly WeightedTerm[],
  filters: readonly PostingSource[],
  productCount: number,
  minWeight: number,
): RelaxedMatch | undefined => {
  const byRarity = sortByRarity(terms);
  const needed = byRarity.slice(0, countNeeded(byRarity, minWeight));
  const candidates = createCandidates(filters);
  if (!isAffordable(needed, byRarity.length, productCount, candidates)) return undefined;
  const { ids } = candidates.find(needed);
  return toMatch(weighCandidates(ids, byRarity, terms.length), minWeight, byRarity);
};
