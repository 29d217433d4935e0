import type { ProductQuery } from "../schema/queries.ts";
import { tables } from "../schema/tables.ts";
import { isFiltered } from "../search/search-request.ts";
import type { ReadTables } from "../store/store.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import type { ProductRow } from "./product.ts";
import type { ProductPage, ShopCounts } from "./reader.ts";

/** Returns true when a query selects all products, sorted by id. */
export const isUnfiltered = (query: ProductQuery): boolean =>
  !query.inStockOnly && !query.sort && !isFiltered(query);

/**
 * Builds a page of the unfiltered catalogue with one range scan. Measured: looking up each product by its id takes twice as long.
 * @returns undefined when `after` is no cursor of such a page
 */
export const buildCataloguePage = (
  stored: ReadTables,
  counts: ShopCounts,
  { first, after }: ProductQuery,
): (Omit<ProductPage, "products"> & { readonly products: readonly ProductRow[] }) | undefined => {
  const position = after === undefined ? undefined : decodeCursor(after);
  if (after !== undefined && position?.by !== "id") return undefined;
  const start = (position?.id ?? 0) + 1;
  const rows = scanProducts(stored, start, first + 1);
  const products = rows.slice(0, first);
  return {
    products,
    cursors: products.map(({ id }) => encodeCursor({ by: "id", id })),
    hasNextPage: rows.length > first,
    hasPreviousPage: position !== undefined && hasProductBefore(stored, start),
    totalCount: counts.products,
  };
};

/** Reads products sorted by id. Texts and offers have the same ids, because one transaction writes both. */
export const scanProducts = (
  stored: ReadTables,
  start: number,
  limit: number,
): readonly ProductRow[] => {
  const { ids, rawProducts } = stored.scanProducts({ start, limit });
  const offers = [...stored.entries(tables.offers, { start, limit })];
  return ids.map((id, at) => {
    const [offerId, offer] = offers[at] ?? [];
    if (offerId !== id || !offer) throw stored.missingRow(tables.offers, id);
    return { id, json: rawProducts[at] ?? "", offer };
  });
};

const hasProductBefore = (stored: ReadTables, start: number): boolean => {
  for (const _ of stored.keys(tables.products, { start: 0, end: start, limit: 1 })) return true;
  return false;
};
