import { type Table, tables } from "../schema/tables.ts";
import type { Ranked } from "../search/ranked-results.ts";
import { type Found, isNarrowed, type Search } from "../search/searcher.ts";
import type { Tables } from "../store/store.ts";
import type { Counts, Listing, ListingQuery } from "./reader.ts";
import { namedProduct } from "./required-products.ts";
import { type Ordered, placesInOrder } from "./sorted-page.ts";

/** Builds a page by offset, with the exact number of matches. */
export const listingOf = (
  stored: Tables,
  counts: Counts,
  query: ListingQuery,
  search: Search,
): Listing => {
  const result = isNarrowed(query) ? search(query) : undefined;
  const total = result?.count ?? (query.inStockOnly ? counts.inStock : counts.products);
  // Skips sorting for an offset past the end.
  const isPastEnd = query.offset >= total;
  const ids = isPastEnd ? [] : sliceRange(sortedIds(stored, counts, search, query, result), query);
  return {
    products: ids.map((id) => namedProduct(stored, id)),
    total,
    ...(result?.ranked && { understood: result.understood }),
  };
};

const sliceRange = (ids: Iterable<number>, { offset, limit }: ListingQuery): number[] => {
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
  stored: Tables,
  counts: Counts,
  search: Search,
  query: ListingQuery,
  result: Found | undefined,
): Iterable<number> => {
  const { sort, offset, limit } = query;
  if (sort !== "relevance") {
    const request: Ordered = { ...query, sort, wanted: offset + limit };
    return placesInOrder(stored, counts, search, request, result).places.map(({ id }) => id);
  }
  if (result?.ranked) return idsByRank(stored, result.ranked, offset + limit);
  return result?.ids() ?? stored.keys<number, unknown>(unfilteredTable(query));
};

const unfilteredTable = ({ inStockOnly }: ListingQuery): Table<number, unknown> =>
  inStockOnly ? tables.inStock : tables.products;

/** Sorts matches by rank, then those in stock first, then by id. */
const idsByRank = (stored: Tables, ranked: Ranked, limit: number): Iterable<number> => {
  const sorted: number[] = [];
  for (const { ids } of ranked.best(limit).groups) {
    for (const id of inStockFirst(stored, ids, limit - sorted.length)) sorted.push(id);
  }
  return sorted;
};

/** Selects up to `limit` ids, those in stock first. It stops when `limit` ids in stock were read. */
const inStockFirst = (stored: Tables, ids: Iterable<number>, limit: number): readonly number[] => {
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
