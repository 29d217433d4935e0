import { type RelaxedCandidates, totalCount } from "./relaxed-candidates.ts";
import { type CountedTerm, sumWeights } from "./relaxed-weights.ts";

/**
 * Lookups of a product in a term that a first page makes at most. Lists of the rarest terms are scanned, as many as
 * this allows; each of their products is looked up in every term.
 */
const maxLookups = 240_000;

/**
 * Selects the terms in which all products of the rarest term can be looked up. Terms without products are dropped,
 * too, unless all terms are selected.
 */
export const selectAffordable = (
  byRarity: readonly CountedTerm[],
  productCount: number,
): readonly CountedTerm[] => {
  const matching = byRarity.filter(({ source }) => source.count > 0);
  const rarestCount = Math.min(productCount, matching[0]?.source.count ?? 0);
  if (rarestCount * byRarity.length <= maxLookups) return byRarity;
  return matching.slice(0, Math.max(1, Math.floor(maxLookups / rarestCount)));
};

/** Counts the terms whose lists can be scanned, at least one of them with products. */
export const countScannable = (byRarity: readonly CountedTerm[], productCount: number): number => {
  let [scanned, candidates] = [0, 0];
  for (const { source } of byRarity) {
    const next = candidates + source.count;
    if (candidates > 0 && Math.min(next, productCount) * byRarity.length > maxLookups) break;
    candidates = next;
    scanned += 1;
  }
  return scanned;
};

/** Counts the rarest terms of which a product must match one: without any of them it weighs less than `minWeight`. */
export const countNeeded = (byRarity: readonly CountedTerm[], minWeight: number): number => {
  let needed = 0;
  while (needed < byRarity.length && sumWeights(byRarity.slice(needed)) >= minWeight) needed += 1;
  return needed;
};

/** Whether a later page makes at most twice `maxLookups`, so that a first page could have been its start. */
export const isAffordable = (
  needed: readonly CountedTerm[],
  termCount: number,
  productCount: number,
  candidates: RelaxedCandidates,
): boolean => {
  const maxCandidates = (2 * maxLookups) / termCount;
  return (
    termCount <= 1 ||
    Math.min(totalCount(needed), productCount) <= maxCandidates ||
    candidates.countRemaining() <= maxCandidates
  );
};
