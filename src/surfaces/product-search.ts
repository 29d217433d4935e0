import type { Snapshot } from "../read-model/reader/reader.ts";
import {
  filterNames,
  type ProductFilters,
  type QueryReport,
} from "../read-model/schema/queries.ts";

/** Filters from a client; each may be absent or null. */
export type RequestedFilters = {
  readonly [Name in keyof ProductFilters]?: ProductFilters[Name] | null | undefined;
};

/** Omits filters that are absent, null or false. */
export const toFilters = (requested: RequestedFilters): ProductFilters =>
  Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = requested[name];
      return value == null || value === false ? [] : [[name, value]];
    }),
  );

/** How the search read a query. */
export interface SearchReport {
  readonly relaxed: boolean;
  readonly matchedWords: readonly string[];
  readonly corrections: QueryReport["corrected"];
  readonly unknownWords: readonly string[];
  readonly suggestions: readonly string[];
}

/**
 * Reports how a search read its query.
 * @param total number of matches
 * @returns null for a page without a query
 */
export const reportSearch = (
  snapshot: Snapshot,
  understood: QueryReport | undefined,
  total: number,
  query: string,
): SearchReport | null =>
  understood
    ? {
        relaxed: understood.relaxed,
        matchedWords: understood.matched,
        corrections: understood.corrected,
        unknownWords: understood.unknown,
        // Computes suggestions only when they are read, because they cost more than the page.
        get suggestions() {
          return total === 0 ? snapshot.suggestions(query) : [];
        },
      }
    : null;
