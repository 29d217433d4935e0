import { tables } from "../schema/tables.ts";
import { millionths } from "../search/doc-values.ts";
import { hasId, type Ids, noIds } from "../search/postings/doc-ids.ts";
import type { Found, Search } from "../search/searcher.ts";
import type { Tables } from "../store/store.ts";
import type { Counts, ProductFilters, Sort } from "./reader.ts";
import {
  comparePlaces,
  firstPlaces,
  type Place,
  placesOf,
  rowsWorthWalking,
  walkOrder,
} from "./sort-index-scan.ts";
import { priceKey } from "./sort-keys.ts";

/** Request for a page in a sort. */
export interface Ordered extends ProductFilters {
  readonly sort: Sort;
  /** Maximum number of products. */
  readonly wanted: number;
  /** Position after which the page starts; undefined for the first page. */
  readonly after?: Place | undefined;
}

export interface Places {
  readonly places: readonly Place[];
  /** True when matches precede the page; false for a request without `after`. */
  readonly hasPrevious: boolean;
}

/**
 * Finds the first positions of the matches in a sort. It scans the sort index of the complete catalogue while that costs
 * less than sorting all matches, which may all be at the other end of the index.
 * @param result matches of a search; undefined when only `inStockOnly` filters the catalogue
 */
export const placesInOrder = (
  stored: Tables,
  counts: Counts,
  search: Search,
  request: Ordered,
  result: Found | undefined,
): Places => {
  const matches = selectMatches(stored, counts, search, request, result);
  const maxRows = matches.ids
    ? rowsWorthWalking(request.sort, request.wanted, matches.count, counts.products)
    : Number.POSITIVE_INFINITY;
  return (
    (maxRows > 0 && scanIndex(stored, request, matches, maxRows)) ||
    sortMatches(stored, request, matches)
  );
};

interface Matches {
  readonly count: number;
  has(id: number): boolean;
  /** Absent when every product matches. */
  ids?(): Ids;
}

const selectMatches = (
  stored: Tables,
  counts: Counts,
  search: Search,
  { inStockOnly }: Ordered,
  result: Found | undefined,
): Matches => {
  if (result) {
    const ids = result.ids();
    return { count: ids.length, has: (id) => hasId(ids, id), ids: () => ids };
  }
  if (!inStockOnly) return { count: counts.products, has: () => true };
  return {
    count: counts.inStock,
    has: (id) => stored.has(tables.inStock, id),
    ids: () => search({ inStockOnly })?.ids() ?? noIds,
  };
};

/** Scans the sort index. @returns undefined when the scan would take more than `maxRows` rows */
const scanIndex = (
  stored: Tables,
  { sort, wanted, after, ...filters }: Ordered,
  { has }: Matches,
  maxRows: number,
): Places | undefined => {
  const start = findStart(sort, filters);
  const from = after && start && comparePlaces(after, start, sort) < 0 ? start : (after ?? start);
  const positions = takeMatches(walkOrder(stored, sort, from), has, wanted, maxRows);
  if (!positions || !after) return positions && { places: positions, hasPrevious: false };
  const first = takeMatches(walkOrder(stored, sort, start), has, 1, maxRows);
  if (!first) return undefined;
  const hasPrevious = first.some((one) => comparePlaces(one, after, sort) <= 0);
  return { places: positions, hasPrevious };
};

/**
 * Returns the position at which a price filter starts in a price sort.
 * @returns undefined without such a filter, and for an amount from 2^53 millionths on, which the filter compares inexactly
 */
const findStart = (sort: Sort, { priceMin, priceMax }: ProductFilters): Place | undefined => {
  const amount = { name: undefined, price_asc: priceMin, price_desc: priceMax }[sort];
  if (amount === undefined || !Number.isSafeInteger(millionths(amount))) return undefined;
  return { key: priceKey({ amount, currency: "" }), id: 0 };
};

/** @returns undefined when the scan would take more than `maxRows` rows */
const takeMatches = (
  scan: Iterable<Place>,
  has: Matches["has"],
  limit: number,
  maxRows: number,
): Place[] | undefined => {
  const positions: Place[] = [];
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
  stored: Tables,
  { sort, wanted, after }: Ordered,
  { ids, count }: Matches,
): Places => {
  let countAfter = 0;
  const isAfter = (position: Place): boolean => !after || comparePlaces(position, after, sort) > 0;
  const all = placesOf(stored, sort, ids?.() ?? noIds);
  function* positionsAfter(): Iterable<Place> {
    for (const position of all) {
      if (!isAfter(position)) continue;
      countAfter += 1;
      yield position;
    }
  }
  const positions = firstPlaces(positionsAfter(), sort, wanted);
  return { places: positions, hasPrevious: countAfter < count };
};
