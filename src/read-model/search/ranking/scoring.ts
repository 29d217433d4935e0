import {
  impactOf,
  nameLengthOf,
  namePosition,
  type Payload,
  spellingOf,
} from "../postings/payload.ts";
import { isSameForm, type SpellingMark } from "../text/token.ts";

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
 * Bonus for a term that a name spells as the query does, in impacts of the term: for a word, for one with a sign (`c#`), and for
 * one with accents or signs that the query lacks.
 */
const spellingBonus = { word: 4, signed: 64, form: 3 };

export interface QuerySpelling {
  readonly mark: SpellingMark;
  /** What a name must have, too, in order to have the same word; accents of stop words make no other word. */
  readonly signs: "none" | "accents" | "signs";
}

/** A term of a query, as scores count it. */
export interface ScoredTerm extends QuerySpelling {
  readonly idf: number;
}

/**
 * Scores each product: an integer that depends on the product, the query and the IDFs alone.
 * @param payloads of each term, in the sequence of the query; 0 where a product lacks the term
 */
export const scoreAll = (
  count: number,
  payloads: readonly Uint32Array[],
  terms: readonly ScoredTerm[],
): Uint32Array => {
  const scores = new Uint32Array(count);
  for (const [at, term] of terms.entries()) {
    const column = payloads[at];
    if (!column) continue;
    addImpacts(scores, column, term);
    const previous = payloads[at - 1];
    const previousTerm = terms[at - 1];
    if (!previous || !previousTerm) continue;
    addAdjacency(scores, previous, column, Math.min(previousTerm.idf, term.idf));
  }
  addExactName(scores, payloads, terms);
  return scores;
};

// Processes one column at a time: such a loop is several times as fast as one over terms and products.

const addImpacts = (scores: Uint32Array, payloads: Uint32Array, term: ScoredTerm): void => {
  for (let at = 0; at < scores.length; at += 1) {
    const payload = payloads[at] as number;
    const impact = (payload & 127) + computeSpellingBonus(payload, term);
    scores[at] = (scores[at] as number) + term.idf * impact;
  }
};

const computeSpellingBonus = (payload: Payload, { mark, signs }: QuerySpelling): number => {
  if (namePosition(payload) === 0) return 0;
  const spelling = spellingOf(payload);
  if (spelling === mark) return signs === "signs" ? spellingBonus.signed : spellingBonus.word;
  if (!isSameForm(spelling, mark)) return 0;
  // `ano` is another word than `año`: it counts half, so that every name with the accent precedes.
  return signs === "accents" ? -(impactOf(payload) >> 1) : spellingBonus.form;
};

const addAdjacency = (
  scores: Uint32Array,
  previous: Uint32Array,
  payloads: Uint32Array,
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
  payloads: readonly Uint32Array[],
  terms: readonly ScoredTerm[],
): void => {
  const [first] = payloads;
  if (!first) return;
  const bonus = exactNameBonus * terms.reduce((sum, { idf }) => sum + idf, 0);
  for (let at = 0; at < scores.length; at += 1) {
    const payload = first[at] as number;
    if (namePosition(payload) !== 1 || nameLengthOf(payload) !== payloads.length) continue;
    const isExactName = terms.every((term, index) =>
      isExactTerm(payloads[index]?.[at] ?? 0, term, index + 1),
    );
    if (isExactName) scores[at] = (scores[at] as number) + bonus;
  }
};

/** Another form is another name, and so is a term without its accent or sign: the name `C` is not the query `C#`. */
const isExactTerm = (payload: Payload, { mark, signs }: ScoredTerm, position: number): boolean => {
  const spelling = spellingOf(payload);
  return (
    namePosition(payload) === position &&
    (signs === "none" ? isSameForm(spelling, mark) : spelling === mark)
  );
};
