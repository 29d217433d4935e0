import { type Table, tables } from "../schema/tables.ts";
import type { Ranked } from "../search/ranked-results.ts";
import { type Found, isNarrowed, type Search } from "../search/searcher.ts";
import type { Tables } from "../store/store.ts";
import type { Counts, Listing, ListingQuery } from "./reader.ts";
import { namedProduct } from "./required-products.ts";
import { placesInOrder } from "./sorted-page.ts";

/** A stretch of a sorted listing, with the exact number of all that match. */
export const listingOf = (
  stored: Tables,
  counts: Counts,
  asked: ListingQuery,
  search: Search,
): Listing => {
  const found = isNarrowed(asked) ? search(asked) : undefined;
  const total = found?.count ?? (asked.inStockOnly ? counts.inStock : counts.products);
  // Behind the end there is nothing that would have to be brought in order.
  const isBehind = asked.offset >= total;
  const ids = isBehind ? [] : stretch(inOrder(stored, counts, search, asked, found), asked);
  return {
    products: ids.map((id) => namedProduct(stored, id)),
    total,
    ...(found?.ranked && { understood: found.understood }),
  };
};

const stretch = (ids: Iterable<number>, { offset, limit }: ListingQuery): number[] => {
  const taken: number[] = [];
  let at = 0;
  for (const id of ids) {
    if (taken.length >= limit) break;
    if (at >= offset) taken.push(id);
    at += 1;
  }
  return taken;
};

const inOrder = (
  stored: Tables,
  counts: Counts,
  search: Search,
  asked: ListingQuery,
  found: Found | undefined,
): Iterable<number> => {
  const { sort, offset, limit } = asked;
  if (sort !== "relevance") {
    const ordered = { ...asked, sort, wanted: offset + limit };
    return placesInOrder(stored, counts, search, ordered, found).places.map(({ id }) => id);
  }
  if (found?.ranked) return byRank(stored, found.ranked, offset + limit);
  return found?.ids() ?? stored.keys<number, unknown>(everything(asked));
};

const everything = ({ inStockOnly }: ListingQuery): Table<number, unknown> =>
  inStockOnly ? tables.inStock : tables.products;

/** Best first; of equally relevant ones those that can be ordered, then by id. */
const byRank = (stored: Tables, ranked: Ranked, wanted: number): Iterable<number> => {
  const ordered: number[] = [];
  for (const { ids } of ranked.best(wanted).groups) {
    for (const id of orderableFirst(stored, ids, wanted - ordered.length)) ordered.push(id);
  }
  return ordered;
};

/** So many of some ids, those that can be ordered first; looks at no more than it takes. */
const orderableFirst = (
  stored: Tables,
  ids: Iterable<number>,
  wanted: number,
): readonly number[] => {
  const orderable: number[] = [];
  const others: number[] = [];
  for (const id of ids) {
    if (orderable.length >= wanted) break;
    if (stored.has(tables.inStock, id)) orderable.push(id);
    else if (others.length < wanted) others.push(id);
  }
  // Not spread into arguments: there may be as many as products.
  return orderable.concat(others).slice(0, wanted);
};
