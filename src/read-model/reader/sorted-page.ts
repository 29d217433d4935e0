import { priceKey, type SortPosition } from "../schema/keys.ts";
import type { ProductFilters, Sort } from "../schema/queries.ts";
import { tables } from "../schema/tables.ts";
import { toMicroUnits } from "../search/doc-values/doc-values.ts";
import { containsId, type DocIds, emptyIds } from "../search/postings/doc-ids.ts";
import type { SearchResult } from "../search/search-products.ts";
import type { SearchFunction } from "../search/searcher.ts";
import type { ReadTables } from "../store/store.ts";
import type { View } from "./offer.ts";
import type { Product, ProductRow } from "./product.ts";
import type { ShopCounts } from "./reader.ts";
import {
  compareSortPositions,
  type IndexedSort,
  maxRowsToScan,
  scanSortIndex,
  selectFirst,
} from "./sort-index-scan.ts";
import { sortPositionsOf } from "./sort-positions.ts";

/** What the pages of one snapshot are built from. */
export interface PageContext {
  readonly stored: ReadTables;
  readonly counts: ShopCounts;
  readonly search: SearchFunction;
  /** Reads the ids of all visible products. */
  readonly allIds: () => DocIds;
  readonly view: View;
  readonly read: (id: number) => Product;
  readonly show: (row: ProductRow) => Product;
}

export interface SortedRequest extends ProductFilters {
  readonly sort: Sort;
  /** Maximum number of products. */
  readonly limit: number;
  /** Position after which the page starts; undefined for the first page. */
  readonly after?: SortPosition | undefined;
}

interface SortedPage {
  readonly positions: readonly SortPosition[];
  /** True when matches precede the page; false for a request without `after`. */
  readonly hasPrevious: boolean;
}

/**
 * Finds the first positions of the matches in a sort. It scans the sort index of the complete catalogue while that costs
 * less than sorting all matches, which may all be at the other end of the index.
 * @param result matches of a search; undefined when only `inStockOnly` filters the catalogue
 */
export const findSortedPage = (
  context: PageContext,
  request: SortedRequest,
  result: SearchResult | undefined,
): SortedPage => {
  const matches = selectMatches(context, request, result);
  const { sort } = request;
  if (!isIndexed(sort)) return sortMatches(context, request, matches);
  const maxRows = matches.ids
    ? maxRowsToScan(sort, request.limit, matches.count, context.counts.products)
    : Number.POSITIVE_INFINITY;
  return (
    (maxRows > 0 && scanIndex(context, { ...request, sort }, matches, maxRows)) ||
    sortMatches(context, request, matches)
  );
};

const isIndexed = (sort: Sort): sort is IndexedSort =>
  sort === "name" || sort === "price_asc" || sort === "price_desc";

interface Matches {
  readonly count: number;
  has(id: number): boolean;
  /** Absent when every product matches. */
  ids?(): DocIds;
}

const selectMatches = (
  { stored, counts, search, allIds }: PageContext,
  { inStockOnly, sort }: SortedRequest,
  result: SearchResult | undefined,
): Matches => {
  if (result) {
    const { ids } = result;
    return { count: ids.length, has: (id) => containsId(ids, id), ids: () => ids };
  }
  if (!inStockOnly) {
    return { count: counts.products, has: () => true, ...(isIndexed(sort) ? {} : { ids: allIds }) };
  }
  return {
    count: counts.inStock,
    has: (id) => stored.has(tables.inStock, id),
    ids: () => search({ inStockOnly })?.ids ?? emptyIds,
  };
};

/** Scans the sort index. @returns undefined when the scan would take more than `maxRows` rows */
const scanIndex = (
  { stored, view }: PageContext,
  { sort, limit, after, ...filters }: SortedRequest & { readonly sort: IndexedSort },
  { has }: Matches,
  maxRows: number,
): SortedPage | undefined => {
  const start = findStart(sort, filters);
  const from =
    after && start && compareSortPositions(after, start, sort) < 0 ? start : (after ?? start);
  const positions = takeMatches(
    scanSortIndex(stored, sort, view.instant, from),
    has,
    limit,
    maxRows,
  );
  if (!positions || !after) return positions && { positions, hasPrevious: false };
  const first = takeMatches(scanSortIndex(stored, sort, view.instant, start), has, 1, maxRows);
  if (!first) return undefined;
  const hasPrevious = first.some((one) => compareSortPositions(one, after, sort) <= 0);
  return { positions, hasPrevious };
};

/**
 * Returns the position at which a price filter starts in a price sort.
 * @returns undefined without such a filter, and for an amount from 2^53 millionths on, which the filter compares inexactly
 */
const findStart = (
  sort: Sort,
  { priceMin, priceMax }: ProductFilters,
): SortPosition | undefined => {
  const amount = sort === "price_asc" ? priceMin : sort === "price_desc" ? priceMax : undefined;
  if (amount === undefined || !Number.isSafeInteger(toMicroUnits(amount))) return undefined;
  return { key: priceKey({ amount, currency: "" }), id: 0 };
};

/** @returns undefined when the scan would take more than `maxRows` rows */
const takeMatches = (
  scan: Iterable<SortPosition>,
  has: Matches["has"],
  limit: number,
  maxRows: number,
): SortPosition[] | undefined => {
  const positions: SortPosition[] = [];
  let remainingRows = maxRows;
  for (const position of scan) {
    if (positions.length >= limit) break;
    if (remainingRows <= 0) return undefined;
    remainingRows -= 1;
    if (has(position.id)) positions.push(position);
  }
  return positions;
};

const sortMatches = (
  { stored, view }: PageContext,
  { sort, limit, after }: SortedRequest,
  { ids, count }: Matches,
): SortedPage => {
  let countAfter = 0;
  const isAfter = (position: SortPosition): boolean =>
    !after || compareSortPositions(position, after, sort) > 0;
  const all = sortPositionsOf(stored, sort, view, ids?.() ?? emptyIds);
  function* positionsAfter(): Iterable<SortPosition> {
    for (const position of all) {
      if (!isAfter(position)) continue;
      countAfter += 1;
      yield position;
    }
  }
  const positions = selectFirst(positionsAfter(), sort, limit);
  return { positions, hasPrevious: countAfter < count };
};
