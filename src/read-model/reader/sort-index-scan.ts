import type { ProductDocument } from "../schema/documents.ts";
import { pastEveryId, tables } from "../schema/tables.ts";
import { eachFactRun } from "../search/doc-values-scan.ts";
import type { Ids } from "../search/postings/doc-ids.ts";
import type { Tables } from "../store/store.ts";
import type { Sort } from "./reader.ts";
import { compareKeys, nameKey, priceKey, priceKeyOf, unpriced } from "./sort-keys.ts";

/** A product's place in an order: its key, and its id among equal keys. */
export interface Place {
  readonly key: string;
  readonly id: number;
}

/** Every visible product in an order. */
export function* walkOrder(stored: Tables, sort: Sort, after?: Place): Iterable<Place> {
  if (sort === "price_desc") return yield* dearestFirst(stored, after);
  const table = sort === "name" ? tables.nameOrder : tables.priceOrder;
  const range = after ? { start: [after.key, after.id + 1] } : {};
  for (const [key, id] of stored.keys(table, range)) yield { key, id };
}

/** Backwards by price, forwards by id among products of one price; those without a price come last either way. */
function* dearestFirst(stored: Tables, after: Place | undefined): Iterable<Place> {
  if (after) yield* alike(stored, after.key, after.id + 1);
  if (after?.key === unpriced) return;
  let price: string | undefined = after?.key ?? unpriced;
  while (price !== undefined) {
    price = yield* belowUntilMany(stored, price);
    if (price !== undefined) yield* alike(stored, price, 0);
  }
  yield* alike(stored, unpriced, 0);
}

/** So many products of one price are walked backwards and told forwards; more would be too many for a short page. */
const manyAlike = 32;

/**
 * What costs less than a price, until there are many products of one price. Another walk for each price would take as
 * long as twenty products of one walk.
 * @returns that price; undefined at the end
 */
function* belowUntilMany(stored: Tables, price: string): Generator<Place, string | undefined> {
  let key = price;
  let places: Place[] = [];
  for (const [next, id] of stored.keys(tables.priceOrder, { start: [price], reverse: true })) {
    if (next !== key) {
      yield* places.reverse();
      [key, places] = [next, []];
    }
    places.push({ key, id });
    if (places.length === manyAlike) return key;
  }
  yield* places.reverse();
  return undefined;
}

function* alike(stored: Tables, key: string, from: number): Iterable<Place> {
  const range = { start: [key, from], end: [key, pastEveryId] };
  for (const [, id] of stored.keys(tables.priceOrder, range)) yield { key, id };
}

/**
 * The first of some products in the order.
 * @param places of all of them, in any order
 */
export const firstPlaces = (
  places: Iterable<Place>,
  sort: Sort,
  wanted: number,
): readonly Place[] => {
  const compare = (a: Place, b: Place): number => comparePlaces(a, b, sort);
  const first: Place[] = [];
  let last: Place | undefined;
  for (const place of places) {
    if (last && compare(place, last) > 0) continue;
    first.push(place);
    // Nearly all of many stand behind those that are wanted, which one look tells.
    if (first.length < wanted * 2 + fewSorted) continue;
    first.sort(compare).splice(wanted);
    last = first.at(-1);
  }
  return first.sort(compare).slice(0, wanted);
};

/** So many more are sorted at once. */
const fewSorted = 256;

/** The places of some products, by their ids. */
export const placesOf = (stored: Tables, sort: Sort, ids: Ids): Iterable<Place> =>
  sort === "name" ? placesByName(stored, ids) : placesByPrice(stored, ids);

function* placesByName(stored: Tables, ids: Ids): Iterable<Place> {
  const language = stored.get(tables.settings, "settings")?.content?.language;
  for (const id of ids) yield { key: nameKey(nameOf(stored, id), language), id };
}

/** A product's JSON up to the end of its name, each byte as one character. */
const untilName = /^\{"id":\d+,"name":("(?:[^"\\]|\\.)*")/;

/** Without the rest of the document, which takes longer to read than everything else. */
const nameOf = (stored: Tables, id: number): string => {
  const [, name] = untilName.exec(stored.text(tables.products, id) ?? "") ?? [];
  if (name === undefined) return (stored.get(tables.products, id) as ProductDocument).name;
  return JSON.parse(Buffer.from(name, "latin1").toString("utf8")) as string;
};

const placesByPrice = (stored: Tables, ids: Ids): readonly Place[] => {
  const places: Place[] = [];
  eachFactRun(stored, ids, (run, { rows, places: at }) => {
    const prices = run.prices();
    for (const [index, row] of rows.entries()) {
      const id = ids[at[index] as number] as number;
      places.push({ key: keyOfPrice(stored, id, prices[row] as number), id });
    }
  });
  return places;
};

/** Past 2^53 a price is told apart by its digits alone. */
const keyOfPrice = (stored: Tables, id: number, price: number): string => {
  if (Number.isNaN(price)) return unpriced;
  if (Number.isSafeInteger(price)) return priceKeyOf(price);
  return priceKey((stored.get(tables.products, id) as ProductDocument).price);
};

export const comparePlaces = (a: Place, b: Place, sort: Sort): number =>
  compareIn(a.key, b.key, sort) || a.id - b.id;

const compareIn = (a: string, b: string, sort: Sort): number => {
  if (a === b) return 0;
  if (sort === "name") return compareKeys(a, b);
  // Without a price there is nothing to compare: such products come last either way.
  const kept = sort === "price_asc" || a === unpriced || b === unpriced;
  // The keys of prices are ASCII, of which the language has the same order as the store.
  return a < b === kept ? -1 : 1;
};

/**
 * What it costs to sort all that match, in rows of the order that could be walked instead. Names are in the documents;
 * prices are read in runs, most of which have some.
 */
const sortingCosts = (sort: Sort, matching: number, products: number): number =>
  sort === "name" ? matching * 10 : matching + products / 8;

/** How often as many rows are walked as would do, were those that match spread evenly. */
const patience = 4;

/**
 * Rows of the order of the whole catalogue that may be walked for `wanted` of the products that match before these are
 * sorted: they may all stand at its other end. 0 where to sort them costs less from the start.
 */
export const rowsWorthWalking = (
  sort: Sort,
  wanted: number,
  matching: number,
  products: number,
): number => {
  const [even, sorting] = [(wanted * products) / matching, sortingCosts(sort, matching, products)];
  if (matching === 0 || even >= sorting) return 0;
  return sorting >= products ? products : Math.min(sorting, even * patience);
};
