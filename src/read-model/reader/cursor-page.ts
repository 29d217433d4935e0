import { type Table, tables } from "../schema/tables.ts";
import { type Ids, placeAfter } from "../search/postings/doc-ids.ts";
import type { Ranked } from "../search/ranked-results.ts";
import type { Pinned } from "../search/search-products.ts";
import { type Found, isNarrowed, type Search } from "../search/searcher.ts";
import type { Tables } from "../store/store.ts";
import { decodeCursor, encodeCursor, type Position } from "./cursor.ts";
import type { CategoryProducts, Counts, ProductPage, ProductQuery } from "./reader.ts";
import { namedProduct } from "./required-products.ts";
import { type Ordered, placesInOrder } from "./sorted-page.ts";

interface PageSlice {
  readonly positions: readonly Position[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly totalCount: number;
}

/**
 * Builds a page of products, each in the form that `read` returns.
 * @returns undefined when `after` is no cursor of this query
 */
export const pageOf = <P>(
  stored: Tables,
  counts: Counts,
  query: ProductQuery,
  search: Search,
  read: (id: number) => P,
): ProductPage<P> | undefined => {
  const after = query.after === undefined ? undefined : decodeCursor(query.after);
  if (query.after !== undefined && after?.by !== positionKind(query)) return undefined;
  const interpretation = after && after.by !== "id" ? after.pinned : undefined;
  const result = isNarrowed(query) ? search(query, interpretation) : undefined;
  if (isNarrowed(query) && !result) return undefined;
  const slice = sliceResults(stored, counts, search, query, result, after);
  return {
    products: slice.positions.map(({ id }) => read(id)),
    cursors: slice.positions.map(encodeCursor),
    hasNextPage: slice.hasNextPage,
    hasPreviousPage: slice.hasPreviousPage,
    totalCount: slice.totalCount,
    ...(result?.ranked && { understood: result.understood }),
  };
};

const positionKind = ({ sort, query }: ProductQuery): Position["by"] =>
  sort ?? ((query?.trim() ?? "") === "" ? "id" : "rank");

const sliceResults = (
  stored: Tables,
  counts: Counts,
  search: Search,
  query: ProductQuery,
  result: Found | undefined,
  after: Position | undefined,
): PageSlice => {
  const { sort } = query;
  if (sort) return sliceSorted(stored, counts, search, { ...query, sort }, result, after);
  if (result?.ranked) return sliceByRank(result.ranked, result.pinned, query.first, after);
  if (result) return sliceIds(result.ids(), query.first, after?.id ?? 0);
  return sliceTable(stored, counts, query, after?.id ?? 0);
};

/**
 * Builds a page of the products directly in a category.
 * @returns undefined when `after` is no cursor of a page by id
 */
export const categoryPageOf = (
  stored: Tables,
  category: number,
  { first, after }: { readonly first: number; readonly after?: string },
): CategoryProducts | undefined => {
  const position = after === undefined ? undefined : decodeCursor(after);
  if (after !== undefined && position?.by !== "id") return undefined;
  const start = [category, (position?.id ?? 0) + 1];
  const range = { start, end: [category + 1], limit: first + 1 };
  const ids = [...stored.keys(tables.categoryProducts, range)].map(([, id]) => id);
  const page = ids.slice(0, first);
  const last = page.at(-1);
  return {
    products: page.map((id) => namedProduct(stored, id)),
    next: ids.length > first && last ? encodeCursor({ by: "id", id: last }) : undefined,
  };
};

const sliceTable = (
  stored: Tables,
  counts: Counts,
  { first, inStockOnly }: ProductQuery,
  after: number,
): PageSlice => {
  const table: Table<number, unknown> = inStockOnly ? tables.inStock : tables.products;
  const ids = [...stored.keys(table, { start: after + 1, limit: first + 1 })];
  const [lowest] = after === 0 ? [] : stored.keys(table, { start: 0, end: after + 1, limit: 1 });
  return {
    positions: ids.slice(0, first).map((id) => ({ by: "id", id })),
    hasNextPage: ids.length > first,
    hasPreviousPage: lowest !== undefined,
    totalCount: inStockOnly ? counts.inStock : counts.products,
  };
};

const sliceIds = (ids: Ids, first: number, after: number): PageSlice => {
  const start = placeAfter(ids, after);
  return {
    positions: Array.from<number, Position>(ids.subarray(start, start + first), (id) => ({
      by: "id",
      id,
    })),
    hasNextPage: start + first < ids.length,
    hasPreviousPage: start > 0,
    totalCount: ids.length,
  };
};

/** Continues after the cursor's rank and id, because the product of the cursor may be deleted. */
const sliceByRank = (
  ranked: Ranked,
  interpretation: Pinned,
  first: number,
  after: Position | undefined,
): PageSlice => {
  const { groups, behind } = ranked.best(first, after?.by === "rank" ? after : undefined);
  const positions: Position[] = [];
  for (const { rank, ids } of groups) {
    for (const id of ids) {
      if (positions.length >= first) break;
      positions.push({ by: "rank", rank, id, pinned: interpretation });
    }
  }
  return {
    positions,
    hasNextPage: behind > first,
    hasPreviousPage: behind < ranked.count,
    totalCount: ranked.count,
  };
};

type SortedQuery = ProductQuery & { readonly sort: NonNullable<ProductQuery["sort"]> };

const noInterpretation: Pinned = { rarities: [], corrected: [], least: 0, joined: [], asks: 0 };

const sliceSorted = (
  stored: Tables,
  counts: Counts,
  search: Search,
  query: SortedQuery,
  result: Found | undefined,
  position: Position | undefined,
): PageSlice => {
  const { sort, first, inStockOnly } = query;
  const after = position && "key" in position ? position : undefined;
  const request: Ordered = { ...query, wanted: first + 1, after };
  const { places, hasPrevious } = placesInOrder(stored, counts, search, request, result);
  const interpretation = result?.pinned ?? noInterpretation;
  return {
    positions: places
      .slice(0, first)
      .map(({ key, id }) => ({ by: sort, key, id, pinned: interpretation })),
    hasNextPage: places.length > first,
    hasPreviousPage: hasPrevious,
    totalCount: result?.count ?? (inStockOnly ? counts.inStock : counts.products),
  };
};
