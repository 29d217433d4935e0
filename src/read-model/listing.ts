import type { ProductDocument } from "./documents.ts";
import { sortPlaces, walkIsCheaper, walkOrder } from "./order-walk.ts";
import type { Counts, Listing, ListingQuery, Sort } from "./reader.ts";
import { hasId, type Ids } from "./search/ids.ts";
import { bestOf } from "./search/rank.ts";
import { type Found, isNarrowed, type Search } from "./search/search.ts";
import type { Tables } from "./store.ts";
import { type Table, tables } from "./tables.ts";

/** A stretch of a sorted listing, with the exact number of all that match. */
export const listingOf = (
  stored: Tables,
  counts: Counts,
  asked: ListingQuery,
  search: Search,
): Listing => {
  const found = isNarrowed(asked) ? search(asked) : undefined;
  const all = asked.inStockOnly ? counts.inStock : counts.products;
  const ids = stretch(inOrder(stored, counts, asked, found), asked);
  return {
    products: ids.map((id) => stored.get(tables.products, id) as ProductDocument),
    total: found?.ids.length ?? all,
    ...(found?.ranks && { understood: found.understood }),
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
  asked: ListingQuery,
  found: Found | undefined,
): Iterable<number> => {
  const { sort, offset, limit } = asked;
  if (sort !== "relevance") return sorted(stored, counts, sort, asked, found);
  if (found?.ranks) return byRank(stored, found.ids, found.ranks, offset + limit);
  return found?.ids ?? stored.keys<number, unknown>(everything(asked));
};

const everything = ({ inStockOnly }: ListingQuery): Table<number, unknown> =>
  inStockOnly ? tables.inStock : tables.products;

/** Best first; of equally relevant ones those that can be ordered, then by id. */
const byRank = (stored: Tables, ids: Ids, ranks: Uint32Array, wanted: number): Iterable<number> => {
  const { places } = bestOf(ranks, wanted);
  const last = places.at(-1);
  if (last === undefined) return [];
  const isOrderable = (place: number): boolean => stored.has(tables.inStock, ids[place] as number);
  const ordered: number[] = [];
  for (let at = 0; at < places.length; ) {
    const rank = ranks[places[at] as number] as number;
    let end = at + 1;
    while (end < places.length && ranks[places[end] as number] === rank) end += 1;
    // Of those as good as the last one there may be more than are wanted.
    const alike = end < places.length ? places.subarray(at, end) : placesOf(ranks, rank);
    for (const place of orderableFirst(alike, end - at, isOrderable)) ordered.push(place);
    at = end;
  }
  return ordered.map((place) => ids[place] as number);
};

function* placesOf(ranks: Uint32Array, rank: number): Iterable<number> {
  for (let at = ranks.indexOf(rank); at !== -1; at = ranks.indexOf(rank, at + 1)) yield at;
}

/** So many of the places, those that can be ordered first; looks at no more than it takes. */
const orderableFirst = (
  places: Iterable<number>,
  wanted: number,
  isOrderable: (place: number) => boolean,
): readonly number[] => {
  const orderable: number[] = [];
  const others: number[] = [];
  for (const place of places) {
    if (orderable.length >= wanted) break;
    if (isOrderable(place)) orderable.push(place);
    else if (others.length < wanted) others.push(place);
  }
  // Not spread into arguments: there may be as many as products.
  return orderable.concat(others).slice(0, wanted);
};

const sorted = (
  stored: Tables,
  counts: Counts,
  sort: Sort,
  { offset, limit, inStockOnly }: ListingQuery,
  found: Found | undefined,
): Iterable<number> => {
  if (found && !walkIsCheaper(offset + limit, found.ids.length, counts.products)) {
    return sortPlaces(stored, sort, found.ids).map(({ id }) => id);
  }
  return members(stored, sort, (id) =>
    found ? hasId(found.ids, id) : !inStockOnly || stored.has(tables.inStock, id),
  );
};

function* members(stored: Tables, sort: Sort, isMember: (id: number) => boolean): Iterable<number> {
  for (const { id } of walkOrder(stored, sort)) if (isMember(id)) yield id;
}
