import { compareUtf8, noPriceKey, type SortPosition } from "../schema/keys.ts";
import type { Sort } from "../schema/queries.ts";
import { idUpperBound, tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";

/** Sorts with an index of all visible products. */
export type IndexedSort = Extract<Sort, "price_asc" | "price_desc" | "name">;

/**
 * Scans the sort index of all visible products, starting after the position `after`.
 * @param instant selects the price of a product whose price changes with time
 */
export function* scanSortIndex(
  stored: ReadTables,
  sort: IndexedSort,
  instant: number,
  after?: SortPosition,
): Iterable<SortPosition> {
  if (sort === "price_desc") return yield* scanPriceDescending(stored, instant, after);
  const range = after && ({ start: [after.key, after.id + 1] } as const);
  if (sort === "name") {
    for (const [key, id] of stored.keys(tables.nameOrder, range)) yield { key, id };
    return;
  }
  for (const row of stored.keys(tables.priceOrder, range)) {
    if (isInForce(row, instant)) yield { key: row[0], id: row[1] };
  }
}

type PriceOrderKey = readonly [string, number] | readonly [string, number, number, number];

/** Whether a row of the price index has the price of an instant. */
const isInForce = ([, , from, until]: PriceOrderKey, instant: number): boolean =>
  from === undefined || until === undefined || (from <= instant && instant < until);

/**
 * Scans products by descending price and, among equal prices, by ascending id. Products without a price come last, as in
 * the ascending sort.
 */
function* scanPriceDescending(
  stored: ReadTables,
  instant: number,
  after: SortPosition | undefined,
): Iterable<SortPosition> {
  if (after) yield* scanSamePrice(stored, instant, after.key, after.id + 1);
  if (after?.key === noPriceKey) return;
  let price: string | undefined = after?.key ?? noPriceKey;
  while (price !== undefined) {
    price = yield* scanBelow(stored, instant, price);
    if (price !== undefined) yield* scanSamePrice(stored, instant, price, 0);
  }
  yield* scanSamePrice(stored, instant, noPriceKey, 0);
}

/** Number of products with one price from which on a separate ascending scan replaces the buffer; a short page needs few. */
const samePriceThreshold = 32;

/**
 * Scans products below a price until `samePriceThreshold` products have one price. Measured: a separate scan for each price
 * would take as long as twenty products of this scan.
 * @returns the price with that many products; undefined at the end
 */
function* scanBelow(
  stored: ReadTables,
  instant: number,
  price: string,
): Generator<SortPosition, string | undefined> {
  let key = price;
  let samePrice: SortPosition[] = [];
  for (const row of stored.keys(tables.priceOrder, { start: [price], reverse: true })) {
    const [next, id] = row;
    if (!isInForce(row, instant)) continue;
    if (next !== key) {
      yield* samePrice.reverse();
      [key, samePrice] = [next, []];
    }
    samePrice.push({ key, id });
    if (samePrice.length === samePriceThreshold) return key;
  }
  yield* samePrice.reverse();
  return undefined;
}

function* scanSamePrice(
  stored: ReadTables,
  instant: number,
  key: string,
  firstId: number,
): Iterable<SortPosition> {
  const range = { start: [key, firstId], end: [key, idUpperBound] } as const;
  for (const row of stored.keys(tables.priceOrder, range)) {
    if (isInForce(row, instant)) yield { key, id: row[1] };
  }
}

/**
 * Selects the first positions of a sort.
 * @param positions positions of all products to sort, in any order
 */
export const selectFirst = (
  positions: Iterable<SortPosition>,
  sort: Sort,
  limit: number,
): readonly SortPosition[] => {
  const compare = (a: SortPosition, b: SortPosition): number => compareSortPositions(a, b, sort);
  const first: SortPosition[] = [];
  let last: SortPosition | undefined;
  for (const position of positions) {
    // One comparison rejects nearly all positions of a large set.
    if (last && compare(position, last) > 0) continue;
    first.push(position);
    if (first.length < limit * 2 + sortBatchSize) continue;
    first.sort(compare).splice(limit);
    last = first.at(-1);
  }
  return first.sort(compare).slice(0, limit);
};

/** Number of positions, beyond twice the limit, that are collected before each sort. */
const sortBatchSize = 256;

export const compareSortPositions = (a: SortPosition, b: SortPosition, sort: Sort): number =>
  compareSortKeys(a.key, b.key, sort) || a.id - b.id;

const compareSortKeys = (a: string, b: string, sort: Sort): number => {
  if (a === b) return 0;
  if (sort === "name") return compareUtf8(a, b);
  // Products without a price come last in both price sorts.
  const isAscending = sort !== "price_desc" || a === noPriceKey || b === noPriceKey;
  // Price keys are ASCII, which JavaScript and LMDB sort alike.
  return a < b === isAscending ? -1 : 1;
};

/**
 * Estimates the cost of sorting all matches, in rows of an index scan. Names are read from documents; prices are read from
 * blocks, most of which contain matches.
 */
const estimateSortCost = (sort: IndexedSort, matches: number, products: number): number =>
  sort === "name" ? matches * 10 : matches + products / 8;

/** Factor by which a scan may exceed the number of rows it would need if matches were distributed evenly. */
const scanTolerance = 4;

/**
 * Computes how many rows of the sort index to scan for `limit` matches before sorting all matches instead, because they may
 * all be at the other end of the index.
 * @returns 0 when sorting costs less from the start
 */
export const maxRowsToScan = (
  sort: IndexedSort,
  limit: number,
  matches: number,
  products: number,
): number => {
  const expectedRows = (limit * products) / matches;
  const sortCost = estimateSortCost(sort, matches, products);
  if (matches === 0 || expectedRows >= sortCost) return 0;
  return sortCost >= products ? products : Math.min(sortCost, expectedRows * scanTolerance);
};
