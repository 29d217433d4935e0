import { tables } from "../schema/tables.ts";
import { isNarrowed } from "../search/searcher.ts";
import type { Tables } from "../store/store.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import type { ProductText } from "./product-json.ts";
import type { Counts, ProductPage, ProductQuery } from "./reader.ts";

/** Returns true when a query selects all products, sorted by id. */
export const isPlain = (query: ProductQuery): boolean =>
  !query.inStockOnly && !query.sort && !isNarrowed(query);

/**
 * Builds a page of the unfiltered catalogue from stored JSON with one range scan. Measured: looking up each product by its id
 * takes twice as long.
 * @returns undefined when `after` is no cursor of such a page
 */
export const plainPageOf = (
  stored: Tables,
  counts: Counts,
  { first, after }: ProductQuery,
): (ProductPage<ProductText> & { readonly ids: readonly number[] }) | undefined => {
  const position = after === undefined ? undefined : decodeCursor(after);
  if (after !== undefined && position?.by !== "id") return undefined;
  const start = (position?.id ?? 0) + 1;
  const { ids: scannedIds, texts } = stored.stretch({ start, limit: first + 1 });
  const hasNextPage = scannedIds.length > first;
  const ids = hasNextPage ? scannedIds.slice(0, first) : scannedIds;
  return {
    ids,
    products: hasNextPage ? texts.slice(0, first) : texts,
    cursors: ids.map((id) => encodeCursor({ by: "id", id })),
    hasNextPage,
    hasPreviousPage: position !== undefined && hasProductBefore(stored, start),
    totalCount: counts.products,
  };
};

const hasProductBefore = (stored: Tables, start: number): boolean => {
  for (const _ of stored.keys(tables.products, { start: 0, end: start, limit: 1 })) return true;
  return false;
};
