import type { OffsetPageQuery } from "../schema/queries.ts";
import { type Table, tables } from "../schema/tables.ts";
import type { RankedResults } from "../search/ranking/ranked-results.ts";
import type { SearchResult } from "../search/search-products.ts";
import { isFiltered } from "../search/search-request.ts";
import type { ReadTables } from "../store/store.ts";
import type { OffsetPage } from "./reader.ts";
import { findSortedPage, type PageContext, type SortedRequest } from "./sorted-page.ts";

/** Builds a page by offset, with the exact number of matches. */
export const buildOffsetPage = (context: PageContext, query: OffsetPageQuery): OffsetPage => {
  const { counts, search, read } = context;
  const result = isFiltered(query) ? search(query) : undefined;
  const total = result?.count ?? (query.inStockOnly ? counts.inStock : counts.products);
  // Skips sorting for an offset past the end.
  const isPastEnd = query.offset >= total;
  const ids = isPastEnd ? [] : sliceRange(sortedIds(context, query, result), query);
  return {
    products: ids.map(read),
    total,
    ...(result?.ranking && { understood: result.understood }),
  };
};

const sliceRange = (ids: Iterable<number>, { offset, limit }: OffsetPageQuery): number[] => {
  const slice: number[] = [];
  let at = 0;
  for (const id of ids) {
    if (slice.length >= limit) break;
    if (at >= offset) slice.push(id);
    at += 1;
  }
  return slice;
};

const sortedIds = (
  context: PageContext,
  query: OffsetPageQuery,
  result: SearchResult | undefined,
): Iterable<number> => {
  const { sort, offset, limit } = query;
  if (sort !== "relevance") {
    const request: SortedRequest = { ...query, sort, limit: offset + limit };
    return findSortedPage(context, request, result).positions.map(({ id }) => id);
  }
  if (result?.ranking) return idsByRank(context.stored, result.ranking, offset + limit);
  const table: Table<number, unknown> = query.inStockOnly ? tables.inStock : tables.products;
  return result?.ids() ?? context.stored.keys(table);
};

/** Sorts matches by rank, then those in stock first, then by id. */
const idsByRank = (stored: ReadTables, ranked: RankedResults, limit: number): Iterable<number> => {
  const sorted: number[] = [];
  for (const { ids } of ranked.selectTop(limit).groups) {
    for (const id of inStockFirst(stored, ids, limit - sorted.length)) sorted.push(id);
  }
  return sorted;
};

/** Selects up to `limit` ids, those in stock first. It stops when `limit` ids in stock were read. */
const inStockFirst = (
  stored: ReadTables,
  ids: Iterable<number>,
  limit: number,
): readonly number[] => {
  const inStock: number[] = [];
  const others: number[] = [];
  for (const id of ids) {
    if (inStock.length >= limit) break;
    if (stored.has(tables.inStock, id)) inStock.push(id);
    else if (others.length < limit) others.push(id);
  }
  // No spread into arguments, because a large catalogue would exceed the maximum number of arguments.
  return inStock.concat(others).slice(0, limit);
};
