import { tables } from "../schema/tables.ts";
import { isNarrowed } from "../search/searcher.ts";
import type { Tables } from "../store/store.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import type { ProductText } from "./product-json.ts";
import type { Counts, ProductPage, ProductQuery } from "./reader.ts";

/** Whether a page shows a stretch of the whole catalogue, by id. */
export const isPlain = (asked: ProductQuery): boolean =>
  !asked.inStockOnly && !asked.sort && !isNarrowed(asked);

/**
 * A page of the whole catalogue, as stored: one walk gives the ids and the products. To find each product by its id
 * takes twice as long. Undefined when `after` is no cursor of such a page.
 */
export const plainPageOf = (
  stored: Tables,
  counts: Counts,
  { first, after }: ProductQuery,
): (ProductPage<ProductText> & { readonly ids: readonly number[] }) | undefined => {
  const position = after === undefined ? undefined : decodeCursor(after);
  if (after !== undefined && position?.by !== "id") return undefined;
  const start = (position?.id ?? 0) + 1;
  const { ids: read, texts } = stored.stretch({ start, limit: first + 1 });
  const hasNextPage = read.length > first;
  const ids = hasNextPage ? read.slice(0, first) : read;
  return {
    ids,
    products: hasNextPage ? texts.slice(0, first) : texts,
    cursors: ids.map((id) => encodeCursor({ by: "id", id })),
    hasNextPage,
    hasPreviousPage: position !== undefined && hasBefore(stored, start),
    totalCount: counts.products,
  };
};

const hasBefore = (stored: Tables, start: number): boolean => {
  for (const _ of stored.keys(tables.products, { start: 0, end: start, limit: 1 })) return true;
  return false;
};
