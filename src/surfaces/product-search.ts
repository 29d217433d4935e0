import type { Snapshot } from "../read-model/reader/reader.ts";
import type { ProductFilters, QueryReport } from "../read-model/schema/queries.ts";

/** Filters from a client; each may be absent or null. */
export type RequestedFilters = {
  readonly [Name in keyof ProductFilters]: ProductFilters[Name] | null | undefined;
};

/** Omits absent filters. */
export const toFilters = (requested: RequestedFilters): ProductFilters => {
  const { inStockOnly, categoryId, brand, priceMin, priceMax, ids, reference, gtin, url } =
    requested;
  return {
    ...(inStockOnly && { inStockOnly }),
    ...(categoryId != null && { categoryId }),
    ...(brand != null && { brand }),
    ...(priceMin != null && { priceMin }),
    ...(priceMax != null && { priceMax }),
    ...(ids != null && { ids }),
    ...(reference != null && { reference }),
    ...(gtin != null && { gtin }),
    ...(url != null && { url }),
  };
};

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
