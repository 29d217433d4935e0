import { impactOf, nameLengthOf, namePosition, type Payload } from "../postings/payload.ts";

/** Computes the inverse document frequency (IDF) of a term, from 1 to 63. */
export const computeIdf = (matching: number, products: number): number => {
  const count = Math.min(matching, products);
  const idf = Math.log(1 + (products - count + 0.5) / (count + 0.5));
  return Math.max(1, Math.min(63, Math.round(idf * 4)));
};

/** Bonus for two query terms that are adjacent in a name, in impacts of the more common one. */
const adjacencyBonus = 32;
/** Bonus for a name that equals the query, in impacts of all its terms. */
const exactNameBonus = 64;

/**
 * Scores each product: an integer that depends on the product, the query and the IDFs alone.
 * @param payloads of each query term, in the sequence of the query; 0 where a product lacks the term
 */
export const scoreAll = (
  count: number,
  payloads: readonly Uint16Array[],
  idfs: readonly number[],
): Uint32Array => {
  const scores = new Uint32Array(count);
  for (const [term, column] of payloads.entries()) {
    addImpacts(scores, column, idfs[term] as number);
    const previous = payloads[term - 1];
    if (!previous) continue;
    addAdjacency(scores, previous, column, Math.min(...idfs.slice(term - 1, term + 1)));
  }
  addExactName(scores, payloads, exactNameBonus * idfs.reduce((sum, idf) => sum + idf, 0));
  return scores;
};

// Processes one column at a time: such a loop is several times as fast as one over terms and products.

const addImpacts = (scores: Uint32Array, payloads: Uint16Array, idf: number): void => {
  for (let at = 0; at < scores.length; at += 1) {
    scores[at] = (scores[at] as number) + idf * ((payloads[at] as number) & 127);
  }
};

const addAdjacency = (
  scores: Uint32Array,
  previous: Uint16Array,
  payloads: Uint16Array,
  idf: number,
): void => {
  for (let at = 0; at < scores.length; at += 1) {
    const position = namePosition(payloads[at] as number);
    if (position > 1 && namePosition(previous[at] as number) === position - 1) {
      scores[at] = (scores[at] as number) + adjacencyBonus * idf;
    }
  }
};

const addExactName = (
  scores: Uint32Array,
  payloads: readonly Uint16Array[],
  bonus: number,
): void => {
  const [first] = payloads;
  if (!first) return;
  for (let at = 0; at < scores.length; at += 1) {
    const payload = first[at] as number;
    if (namePosition(payload) !== 1 || nameLengthOf(payload) !== payloads.length) continue;
    const isExactName = payloads.every(
      (column, term) => namePosition(column[at] as number) === term + 1,
    );
    if (isExactName) scores[at] = (scores[at] as number) + bonus;
  }
};

/**
 * Scores a product of a single-term query. Only the payload counts, because such a query matches many more products.
 */
export const scoreSingle = (payload: Payload, idf: number): number => {
  const isName = namePosition(payload) === 1 && nameLengthOf(payload) === 1;
  return idf * impactOf(payload) + (isName ? exactNameBonus * idf : 0);
};
