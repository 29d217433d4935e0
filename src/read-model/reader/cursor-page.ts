import type { ProductQuery } from "../schema/queries.ts";
import { type Table, tables } from "../schema/tables.ts";
import { type DocIds, indexAfter } from "../search/postings/doc-ids.ts";
import type { QueryInterpretation } from "../search/query/interpretation.ts";
import type { RankedResults } from "../search/ranking/ranked-results.ts";
import type { SearchResult } from "../search/search-products.ts";
import { isFiltered } from "../search/search-request.ts";
import type { ReadTables } from "../store/store.ts";
import { type CursorPosition, decodeCursor, encodeCursor } from "./cursor.ts";
import type { Product } from "./product.ts";
import type { CategoryProducts, ProductPage } from "./reader.ts";
import { findSortedPage, type PageContext, type SortedRequest } from "./sorted-page.ts";

interface PageSlice {
  readonly positions: readonly CursorPosition[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly totalCount: number;
}

/**
 * Builds a page of products.
 * @returns undefined when `after` is no cursor of this query
 */
export const buildCursorPage = (
  context: PageContext,
  query: ProductQuery,
): ProductPage | undefined => {
  const { search, read } = context;
  const after = query.after === undefined ? undefined : decodeCursor(query.after);
  if (query.after !== undefined && after?.by !== positionKind(query)) return undefined;
  const interpretation = after && after.by !== "id" ? after.interpretation : undefined;
  const result = isFiltered(query) ? search(query, interpretation) : undefined;
  if (isFiltered(query) && !result) return undefined;
  const slice = sliceResults(context, query, result, after);
  return {
    products: slice.positions.map(({ id }) => read(id)),
    cursors: slice.positions.map(encodeCursor),
    hasNextPage: slice.hasNextPage,
    hasPreviousPage: slice.hasPreviousPage,
    totalCount: slice.totalCount,
    ...(result?.ranking && { understood: result.understood }),
  };
};

const positionKind = ({ sort, query }: ProductQuery): CursorPosition["by"] =>
  sort ?? ((query?.trim() ?? "") === "" ? "id" : "rank");

const sliceResults = (
  context: PageContext,
  query: ProductQuery,
  result: SearchResult | undefined,
  after: CursorPosition | undefined,
): PageSlice => {
  const { sort } = query;
  if (sort) return sliceSorted(context, { ...query, sort }, result, after);
  if (result?.ranking)
    return sliceByRank(result.ranking, result.interpretation, query.first, after);
  if (result) return sliceIds(result.ids(), query.first, after?.id ?? 0);
  return sliceTable(context, query, after?.id ?? 0);
};

/**
 * Builds a page of the products directly in a category.
 * @returns undefined when `after` is no cursor of a page by id
 */
export const buildCategoryPage = (
  stored: ReadTables,
  category: number,
  { first, after }: { readonly first: number; readonly after?: string },
  read: (id: number) => Product,
): CategoryProducts | undefined => {
  const position = after === undefined ? undefined : decodeCursor(after);
  if (after !== undefined && position?.by !== "id") return undefined;
  const start = [category, (position?.id ?? 0) + 1] as const;
  const range = { start, end: [category + 1], limit: first + 1 } as const;
  const ids = [...stored.keys(tables.categoryProducts, range)].map(([, id]) => id);
  const page = ids.slice(0, first);
  const last = page.at(-1);
  return {
    products: page.map(read),
    next: ids.length > first && last ? encodeCursor({ by: "id", id: last }) : undefined,
  };
};

const sliceTable = (
  { stored, counts }: PageContext,
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

const sliceIds = (ids: DocIds, first: number, after: number): PageSlice => {
  const start = indexAfter(ids, after);
  return {
    positions: Array.from<number, CursorPosition>(ids.subarray(start, start + first), (id) => ({
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
  ranked: RankedResults,
  interpretation: QueryInterpretation,
  first: number,
  after: CursorPosition | undefined,
): PageSlice => {
  const afterId = after?.by === "rank" ? { score: after.rank, id: after.id } : undefined;
  const { groups, afterCount } = ranked.selectTop(first, afterId);
  const positions: CursorPosition[] = [];
  for (const { score, ids } of groups) {
    for (const id of ids) {
      if (positions.length >= first) break;
      positions.push({ by: "rank", rank: score, id, interpretation });
    }
  }
  return {
    positions,
    hasNextPage: afterCount > first,
    hasPreviousPage: afterCount < ranked.count,
    totalCount: ranked.count,
  };
};

type SortedQuery = ProductQuery & Pick<SortedRequest, "sort">;

const noInterpretation: QueryInterpretation = {
  idfs: [],
  corrections: [],
  minWeight: 0,
  indexedTerms: [],
  queryHash: 0,
};

const sliceSorted = (
  context: PageContext,
  query: SortedQuery,
  result: SearchResult | undefined,
  position: CursorPosition | undefined,
): PageSlice => {
  const { sort, first, inStockOnly } = query;
  const after = position && "key" in position ? position : undefined;
  const request: SortedRequest = { ...query, limit: first + 1, after };
  const { positions, hasPrevious } = findSortedPage(context, request, result);
  const interpretation = result?.interpretation ?? noInterpretation;
  return {
    positions: positions
      .slice(0, first)
      .map(({ key, id }) => ({ by: sort, key, id, interpretation })),
    hasNextPage: positions.length > first,
    hasPreviousPage: hasPrevious,
    totalCount: result?.count ?? (inStockOnly ? context.counts.inStock : context.counts.products),
  };
};
