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

/** What is asked of an order. */
export interface Ordered extends ProductFilters {
  readonly sort: Sort;
  /** So many products. */
  readonly wanted: number;
  /** Only those behind this place. */
  readonly after?: Place | undefined;
}

export interface Places {
  readonly places: readonly Place[];
  /** Whether there are some before; false where none was asked to be behind. */
  readonly hasPrevious: boolean;
}

/**
 * The first places of what matches, in an order, and perhaps some more. The order of the whole catalogue is walked
 * while that costs less than to sort all that match: these may all stand at its other end.
 * @param found what matches; undefined where only stock narrows the catalogue
 */
export const placesInOrder = (
  stored: Tables,
  counts: Counts,
  search: Search,
  asked: Ordered,
  found: Found | undefined,
): Places => {
  const members = membersOf(stored, counts, search, asked, found);
  const rows = members.ids
    ? rowsWorthWalking(asked.sort, asked.wanted, members.count, counts.products)
    : Number.POSITIVE_INFINITY;
  return (rows > 0 && walked(stored, asked, members, rows)) || sorted(stored, asked, members);
};

interface Members {
  readonly count: number;
  has(id: number): boolean;
  /** Absent where all products are. */
  ids?(): Ids;
}

const membersOf = (
  stored: Tables,
  counts: Counts,
  search: Search,
  { inStockOnly }: Ordered,
  found: Found | undefined,
): Members => {
  if (found) {
    const ids = found.ids();
    return { count: ids.length, has: (id) => hasId(ids, id), ids: () => ids };
  }
  if (!inStockOnly) return { count: counts.products, has: () => true };
  return {
    count: counts.inStock,
    has: (id) => stored.has(tables.inStock, id),
    ids: () => search({ inStockOnly })?.ids() ?? noIds,
  };
};

/** Undefined where that takes more rows. */
const walked = (
  stored: Tables,
  { sort, wanted, after, ...filters }: Ordered,
  { has }: Members,
  rows: number,
): Places | undefined => {
  const begin = beginOf(sort, filters);
  const from = after && begin && comparePlaces(after, begin, sort) < 0 ? begin : (after ?? begin);
  const places = firstOf(walkOrder(stored, sort, from), has, wanted, rows);
  if (!places || !after) return places && { places, hasPrevious: false };
  const first = firstOf(walkOrder(stored, sort, begin), has, 1, rows);
  return (
    first && { places, hasPrevious: first.some((one) => comparePlaces(one, after, sort) <= 0) }
  );
};

/** Where the products of a price begin in an order of prices. Past 2^53 they are not told apart by a filter. */
const beginOf = (sort: Sort, { priceMin, priceMax }: ProductFilters): Place | undefined => {
  const amount = { name: undefined, price_asc: priceMin, price_desc: priceMax }[sort];
  if (amount === undefined || !Number.isSafeInteger(millionths(amount))) return undefined;
  return { key: priceKey({ amount, currency: "" }), id: 0 };
};

const firstOf = (
  order: Iterable<Place>,
  has: Members["has"],
  wanted: number,
  rows: number,
): Place[] | undefined => {
  const places: Place[] = [];
  let left = rows;
  for (const place of order) {
    if (places.length >= wanted) break;
    if (left <= 0) return undefined;
    left -= 1;
    if (has(place.id)) places.push(place);
  }
  return places;
};

const sorted = (
  stored: Tables,
  { sort, wanted, after }: Ordered,
  { ids, count }: Members,
): Places => {
  let behind = 0;
  const isBehind = (place: Place): boolean => !after || comparePlaces(place, after, sort) > 0;
  const all = placesOf(stored, sort, ids?.() ?? noIds);
  function* rest(): Iterable<Place> {
    for (const place of all) {
      if (!isBehind(place)) continue;
      behind += 1;
      yield place;
    }
  }
  const places = firstPlaces(rest(), sort, wanted);
  return { places, hasPrevious: behind < count };
};
