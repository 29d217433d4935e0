import type { DocIds } from "../postings/doc-ids.ts";
import { indexesWhere, pickIds, pickPayloads } from "../postings/intersection.ts";
import { impactOf, namePosition, type Payload } from "../postings/payload.ts";
import type { PostingSource } from "../postings/posting-source.ts";

/** A query term and its weight; 0 excludes the term. */
export interface WeightedTerm {
  readonly source: PostingSource;
  readonly weight: number;
}

/** A term that is not excluded. */
export interface CountedTerm extends WeightedTerm {
  /** Index among all terms of the query. */
  readonly index: number;
}

/**
 * Computes the weight of a term in a relaxed match. Weights are about equal, so that a query for the best boots does
 * not favour the two products with `best`; a rare term weighs somewhat more, a guessed one less. They are multiples of four,
 * because a product that merely mentions the term counts a quarter.
 */
export const computeRelaxedWeight = (idf: number, isGuess: boolean): number =>
  4 * ((isGuess ? 12 : 16) + (idf >> 2));

export const sumWeights = (terms: readonly WeightedTerm[]): number =>
  terms.reduce((sum, { weight }) => sum + weight, 0);

/** Candidates with their payloads for each term of the query and their total weights. */
export interface WeighedCandidates {
  readonly ids: DocIds;
  readonly payloads: Uint32Array[];
  readonly weights: Float64Array;
}

/**
 * Looks up each candidate in each term.
 * @param termCount all terms of the query; the payloads of excluded ones are zeros
 */
export const weighCandidates = (
  ids: DocIds,
  terms: readonly CountedTerm[],
  termCount: number,
): WeighedCandidates => {
  const weights = new Float64Array(ids.length);
  const payloads = Array.from(
    { length: termCount },
    (): Uint32Array => new Uint32Array(ids.length),
  );
  for (const { source, weight, index } of terms) {
    const matches = source.at(ids);
    addWeight(matches, weights, weight);
    payloads[index] = matches;
  }
  return { ids, payloads, weights };
};

export const removeTerm = (
  { ids, payloads, weights }: WeighedCandidates,
  { index, weight }: CountedTerm,
): void => {
  addWeight(payloads[index] ?? noPayloads, weights, -weight);
  payloads[index] = new Uint32Array(ids.length);
};

const noPayloads = new Uint32Array(0);

const addWeight = (matches: Uint32Array, weights: Float64Array, weight: number): void => {
  for (let at = 0; at < matches.length; at += 1) {
    const payload = matches[at] as number;
    if (payload === 0) continue;
    weights[at] =
      (weights[at] as number) + (namesProduct(payload) ? weight : weight * mentionShare);
  }
};

/** Weight of a term that a description merely mentions, relative to a term that names the product. */
const mentionShare = 1 / 4;

/** Impact that a term has in the name of a category, in the brand, or by filling a short description. */
const namingImpact = 80;

/** Whether a term says what the product is: it stands in its name, or it weighs as much. */
const namesProduct = (payload: Payload): boolean =>
  namePosition(payload) !== 0 || impactOf(payload) >= namingImpact;

/** Minimum weight as a share of the best product's weight, in tenths. */
const minMatchTenths = 7;

export const computeMinWeight = ({ weights }: WeighedCandidates): number => {
  const best = weights.reduce((max, weight) => Math.max(max, weight), 0);
  return Math.max(1, Math.ceil((best * minMatchTenths) / 10));
};

export const filterByWeight = (
  { ids, payloads, weights }: WeighedCandidates,
  minWeight: number,
): Pick<WeighedCandidates, "ids" | "payloads"> => {
  const indexes = indexesWhere(weights.length, (at) => (weights[at] as number) >= minWeight);
  return {
    ids: pickIds(ids, indexes),
    payloads: payloads.map((column) => pickPayloads(column, indexes)),
  };
};
