import type { ProductDocument } from "./documents.ts";
import { compareKeys, nameKey, priceKey, unpriced } from "./order.ts";
import type { Counts, Listing, ListingQuery } from "./reader.ts";
import { matchProducts } from "./search/match.ts";
import type { Tables } from "./store.ts";
import { type Table, tables } from "./tables.ts";

/** Up to this share of the catalogue it costs less to sort the products than to walk the order of all. */
const fewOf = 1 / 8;

/** A stretch of a sorted listing, with the exact number of all that match. */
export const listingOf = (stored: Tables, counts: Counts, asked: ListingQuery): Listing => {
  const chosen = choose(stored, asked);
  const all = asked.inStockOnly ? counts.inStock : counts.products;
  const ids = stretch(inOrder(stored, counts, asked, chosen), asked);
  return {
    products: ids.map((id) => stored.get(tables.products, id) as ProductDocument),
    total: chosen ? chosen.length : all,
  };
};

const stretch = (ids: Iterable<number>, { offset, limit }: ListingQuery): number[] => {
  const taken: number[] = [];
  let at = 0;
  for (const id of ids) {
    if (at >= offset) taken.push(id);
    at += 1;
    if (taken.length >= limit) break;
  }
  return taken;
};

/** Ids that match, best first or by id; undefined when nothing narrows the catalogue but stock. */
const choose = (stored: Tables, asked: ListingQuery): readonly number[] | undefined => {
  const query = asked.query?.trim() ?? "";
  const within = asked.categoryId === undefined ? undefined : idsBelow(stored, asked.categoryId);
  if (query === "" && !within) return undefined;
  const ids = query === "" ? [...(within ?? [])].sort((a, b) => a - b) : matching(stored, query);
  return ids.filter(
    (id) =>
      (query === "" || !within || within.has(id)) &&
      (!asked.inStockOnly || stored.has(tables.inStock, id)),
  );
};

const matching = (stored: Tables, query: string): readonly number[] =>
  matchProducts(stored, query).map(({ id }) => id);

/** Visible products of a category and of all below it. */
const idsBelow = (stored: Tables, categoryId: number): ReadonlySet<number> => {
  const ids = new Set<number>();
  for (const category of subtree(stored, categoryId)) {
    for (const [, id] of stored.keys(tables.categoryProducts, {
      start: [category],
      end: [category + 1],
    })) {
      ids.add(id);
    }
  }
  return ids;
};

/** Parents stand before their children in the stored order, so that one pass finds all. */
const subtree = (stored: Tables, root: number): ReadonlySet<number> => {
  const inside = new Set<number>();
  for (const id of stored.get(tables.categoryOrder, "order") ?? []) {
    const parent = stored.get(tables.categories, id)?.parentId;
    if (id === root || (parent != null && inside.has(parent))) inside.add(id);
  }
  return inside;
};

const inOrder = (
  stored: Tables,
  counts: Counts,
  asked: ListingQuery,
  chosen: readonly number[] | undefined,
): Iterable<number> => {
  if (asked.sort === "relevance") {
    return chosen ?? stored.keys<number, unknown>(everything(asked));
  }
  const few = counts.products * fewOf;
  if (chosen && chosen.length < few) return sorted(stored, asked.sort, chosen);
  if (!chosen && asked.inStockOnly && counts.inStock < few) {
    return sorted(stored, asked.sort, [...stored.keys(tables.inStock)]);
  }
  const members = chosen && new Set(chosen);
  return filtered(walk(stored, asked.sort), (id) =>
    members ? members.has(id) : !asked.inStockOnly || stored.has(tables.inStock, id),
  );
};

const everything = ({ inStockOnly }: ListingQuery): Table<number, unknown> =>
  inStockOnly ? tables.inStock : tables.products;

function* filtered(ids: Iterable<number>, keep: (id: number) => boolean): Iterable<number> {
  for (const id of ids) if (keep(id)) yield id;
}

type Sort = Exclude<ListingQuery["sort"], "relevance">;

const sorted = (stored: Tables, sort: Sort, ids: readonly number[]): readonly number[] => {
  const keyed = ids.map((id) => {
    const product = stored.get(tables.products, id) as ProductDocument;
    return { id, key: sort === "name" ? nameKey(product.name) : priceKey(product.price) };
  });
  return keyed.sort((a, b) => compare(a.key, b.key, sort) || a.id - b.id).map(({ id }) => id);
};

const compare = (a: string, b: string, sort: Sort): number => {
  if (a === b) return 0;
  // Without a price there is nothing to compare: such products come last either way.
  const kept = sort !== "price_desc" || a === unpriced || b === unpriced;
  return kept ? compareKeys(a, b) : compareKeys(b, a);
};

function* walk(stored: Tables, sort: Sort): Iterable<number> {
  if (sort === "price_desc") return yield* dearestFirst(stored);
  const table = sort === "name" ? tables.nameOrder : tables.priceOrder;
  for (const [, id] of stored.keys(table)) yield id;
}

/** Backwards by price, forwards by id among products of one price. */
function* dearestFirst(stored: Tables): Iterable<number> {
  let price = "";
  let alike: number[] = [];
  const { priceOrder } = tables;
  for (const [key, id] of stored.keys(priceOrder, { start: [unpriced], reverse: true })) {
    if (key !== price) {
      yield* alike.reverse();
      alike = [];
      price = key;
    }
    alike.push(id);
  }
  yield* alike.reverse();
  for (const [, id] of stored.keys(priceOrder, { start: [unpriced] })) yield id;
}
