import type { ProductDocument } from "./documents.ts";
import { sortPlaces, walkIsCheaper, walkOrder } from "./order-walk.ts";
import type { Counts, Listing, ListingQuery, Sort } from "./reader.ts";
import { hasId } from "./search/ids.ts";
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
const byRank = (
  stored: Tables,
  ids: Float64Array,
  ranks: Float64Array,
  wanted: number,
): Iterable<number> => {
  const places = new Uint32Array(ids.length);
  for (let at = 0; at < places.length; at += 1) places[at] = at;
  const best = bestOf(ranks, places, wanted);
  const last = best.at(-1);
  if (last === undefined) return [];
  const least = ranks[last] as number;
  const above = best.filter((at) => (ranks[at] as number) > least);
  const alike = places.filter((at) => ranks[at] === least);
  return [
    ...orderableFirst(stored, ids, above, (one, other) => ranks[one] === ranks[other]),
    ...orderableFirst(stored, ids, alike, () => true, wanted - above.length),
  ].map((at) => ids[at] as number);
};

/** Among neighbours that are alike, those that can be ordered first; looks at no more than are wanted. */
const orderableFirst = (
  stored: Tables,
  ids: Float64Array,
  places: Uint32Array,
  isAlike: (one: number, other: number) => boolean,
  wanted = places.length,
): readonly number[] => {
  const ordered: number[] = [];
  let waiting: number[] = [];
  let former = places[0];
  for (const place of places) {
    if (ordered.length >= wanted) break;
    if (former !== undefined && !isAlike(former, place)) {
      ordered.push(...waiting);
      waiting = [];
    }
    former = place;
    if (stored.has(tables.inStock, ids[place] as number)) ordered.push(place);
    else waiting.push(place);
  }
  // Not spread into arguments: there may be as many as products.
  return ordered.concat(waiting).slice(0, wanted);
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
