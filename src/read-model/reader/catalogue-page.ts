import type { ProductPage, ProductQuery } from "../schema/queries.ts";
import { tables } from "../schema/tables.ts";
import { isFiltered } from "../search/search-request.ts";
import type { ReadTables } from "../store/store.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import type { ProductJson } from "./product-json.ts";
import type { ShopCounts } from "./reader.ts";

/** Returns true when a query selects all products, sorted by id. */
export const isUnfiltered = (query: ProductQuery): boolean =>
  !query.inStockOnly && !query.sort && !isFiltered(query);

/**
 * Builds a page of the unfiltered catalogue from stored JSON with one range scan. Measured: looking up each product by its id
 * takes twice as long.
 * @returns undefined when `after` is no cursor of such a page
 */
export const buildCataloguePage = (
  stored: ReadTables,
  counts: ShopCounts,
  { first, after }: ProductQuery,
): (ProductPage<ProductJson> & { readonly ids: readonly number[] }) | undefined => {
  const position = after === undefined ? undefined : decodeCursor(after);
  if (after !== undefined && position?.by !== "id") return undefined;
  const start = (position?.id ?? 0) + 1;
  const { ids: scannedIds, rawProducts } = stored.scanProducts({ start, limit: first + 1 });
  const hasNextPage = scannedIds.length > first;
  const ids = hasNextPage ? scannedIds.slice(0, first) : scannedIds;
  return {
    ids,
    products: hasNextPage ? rawProducts.slice(0, first) : rawProducts,
    cursors: ids.map((id) => encodeCursor({ by: "id", id })),
    hasNextPage,
    hasPreviousPage: position !== undefined && hasProductBefore(stored, start),
    totalCount: counts.products,
  };
};

const hasProductBefore = (stored: ReadTables, start: number): boolean => {
  for (const _ of stored.keys(tables.products, { start: 0, end: start, limit: 1 })) return true;
  return false;
};
