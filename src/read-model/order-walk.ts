import type { ProductDocument } from "./documents.ts";
import { compareKeys, nameKey, priceKey, unpriced } from "./order.ts";
import type { Sort } from "./reader.ts";
import type { Ids } from "./search/ids.ts";
import type { Tables } from "./store.ts";
import { tables } from "./tables.ts";

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
  const { priceOrder } = tables;
  if (after) yield* alike(stored, after.key, after.id + 1);
  if (after?.key === unpriced) return;
  let key: string | undefined = after?.key ?? unpriced;
  for (;;) {
    const [below]: Iterable<readonly [string, number]> = stored.keys(priceOrder, {
      start: [key],
      reverse: true,
      limit: 1,
    });
    key = below?.[0];
    if (key === undefined) break;
    yield* alike(stored, key, 0);
  }
  yield* alike(stored, unpriced, 0);
}

function* alike(stored: Tables, key: string, from: number): Iterable<Place> {
  const range = { start: [key, from], end: [key, Number.MAX_SAFE_INTEGER] };
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
  // Without a price there is nothing to compare: such products come last either way.
  const kept = sort !== "price_desc" || a === unpriced || b === unpriced;
  return kept ? compareKeys(a, b) : compareKeys(b, a);
};

/** What it costs to walk past one product of an order, beside sorting one: the latter reads its whole document. */
const walkShare = 1 / 6;

/**
 * Whether to walk the order of the whole catalogue for `wanted` of the products that match, rather than to sort
 * all that match.
 */
export const walkIsCheaper = (wanted: number, matching: number, products: number): boolean =>
  matching > 0 && ((wanted * products) / matching) * walkShare < matching;
