import type { ProductDocument } from "./documents.ts";
import { compareKeys, nameKey, priceKey, unpriced } from "./order.ts";
import type { Sort } from "./reader.ts";
import type { Ids } from "./search/ids.ts";
import type { Tables } from "./store.ts";
import { pastEveryId, tables } from "./tables.ts";

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

/** The places of some products, in the order. */
export const sortPlaces = (stored: Tables, sort: Sort, ids: Ids): readonly Place[] => {
  const language = stored.get(tables.settings, "settings")?.content?.language;
  return Array.from<number, Place>(ids, (id) => {
    const product = stored.get(tables.products, id) as ProductDocument;
    const key = sort === "name" ? nameKey(product.name, language) : priceKey(product.price);
    return { key, id };
  }).sort((a, b) => comparePlaces(a, b, sort));
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

/** What it costs to walk past one product of an order, beside sorting one: the latter reads its whole document. */
const walkShare = 1 / 6;

/**
 * Rows of the order of the whole catalogue that may be walked for `wanted` of the products that match before to sort
 * all of these costs less; 0 where it does from the start, were they spread evenly.
 */
export const rowsWorthWalking = (wanted: number, matching: number, products: number): number => {
  const rows = matching / walkShare;
  return matching > 0 && (wanted * products) / matching < rows ? rows : 0;
};
