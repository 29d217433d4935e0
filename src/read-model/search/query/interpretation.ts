import { isPlausibleCorrection } from "./corrections.ts";
import type { QueryTerm } from "./query-plan.ts";

/**
 * How the first page interpreted the query (IDFs, corrections, minimum weight). The cursor carries it, so that later
 * pages rank the same way while other products change: scores depend on it, on the query, on each product and on the
 * names of its categories alone.
 */
export interface QueryInterpretation {
  /** IDF of each query term, in the sequence of the query. */
  readonly idfs: readonly number[];
  readonly corrections: readonly (readonly string[])[];
  /** Minimum weight of a relaxed match; 0 when all terms have to match. */
  readonly minWeight: number;
  /** Words of synonyms that were looked up and are in the catalogue. */
  readonly indexedTerms: readonly string[];
  readonly queryHash: number;
}

/** Whether a first page of this query can have made an interpretation. A client may send any. */
export const isInterpretationOf = (
  interpretation: QueryInterpretation,
  terms: readonly QueryTerm[],
  queryHash: number,
  relax: boolean,
): boolean =>
  interpretation.queryHash === queryHash &&
  interpretation.idfs.length === terms.length &&
  (interpretation.minWeight === 0 || relax) &&
  interpretation.corrections.every((words, at) => isPlausibleCorrection(terms[at], words));
