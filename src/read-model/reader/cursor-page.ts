import { type Table, tables } from "../schema/tables.ts";
import { type Ids, placeAfter } from "../search/postings/doc-ids.ts";
import type { Ranked } from "../search/ranked-results.ts";
import type { Pinned } from "../search/search-products.ts";
import { type Found, isNarrowed, type Search } from "../search/searcher.ts";
import type { Tables } from "../store/store.ts";
import { decodeCursor, encodeCursor, type Position } from "./cursor.ts";
import type { CategoryProducts, Counts, ProductPage, ProductQuery } from "./reader.ts";
import { namedProduct } from "./required-products.ts";
import { placesInOrder } from "./sorted-page.ts";

interface Walk {
  readonly positions: readonly Position[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly totalCount: number;
}

/** A page of products, in the form `find` has them; undefined when `after` is no cursor of such a walk. */
export const pageOf = <P>(
  stored: Tables,
  counts: Counts,
  asked: ProductQuery,
  search: Search,
  find: (id: number) => P,
): ProductPage<P> | undefined => {
  const after = asked.after === undefined ? undefined : decodeCursor(asked.after);
  if (asked.after !== undefined && after?.by !== kindOf(asked)) return undefined;
  const pinned = after && after.by !== "id" ? after.pinned : undefined;
  const found = isNarrowed(asked) ? search(asked, pinned) : undefined;
  if (isNarrowed(asked) && !found) return undefined;
  const walk = walkOf(stored, counts, search, asked, found, after);
  return {
    products: walk.positions.map(({ id }) => find(id)),
    cursors: walk.positions.map(encodeCursor),
    hasNextPage: walk.hasNextPage,
    hasPreviousPage: walk.hasPreviousPage,
    totalCount: walk.totalCount,
    ...(found?.ranked && { understood: found.understood }),
  };
};

const kindOf = ({ sort, query }: ProductQuery): Position["by"] =>
  sort ?? ((query?.trim() ?? "") === "" ? "id" : "rank");

const walkOf = (
  stored: Tables,
  counts: Counts,
  search: Search,
  asked: ProductQuery,
  found: Found | undefined,
  after: Position | undefined,
): Walk => {
  const { sort } = asked;
  if (sort) return walkSorted(stored, counts, search, { ...asked, sort }, found, after);
  if (found?.ranked) return walkByRank(found.ranked, found.pinned, asked.first, after);
  if (found) return walkFoundById(found.ids(), asked.first, after?.id ?? 0);
  return walkById(stored, counts, asked, after?.id ?? 0);
};

/** A page of the products directly in a category; undefined when `after` is no cursor of a walk by id. */
export const categoryPageOf = (
  stored: Tables,
  category: number,
  { first, after }: { readonly first: number; readonly after?: string },
): CategoryProducts | undefined => {
  const position = after === undefined ? undefined : decodeCursor(after);
  if (after !== undefined && position?.by !== "id") return undefined;
  const start = [category, (position?.id ?? 0) + 1];
  const range = { start, end: [category + 1], limit: first + 1 };
  const ids = [...stored.keys(tables.categoryProducts, range)].map(([, id]) => id);
  const page = ids.slice(0, first);
  const last = page.at(-1);
  return {
    products: page.map((id) => namedProduct(stored, id)),
    next: ids.length > first && last ? encodeCursor({ by: "id", id: last }) : undefined,
  };
};

const walkById = (stored: Tables, counts: Counts, asked: ProductQuery, after: number): Walk => {
  const table: Table<number, unknown> = asked.inStockOnly ? tables.inStock : tables.products;
  const ids = [...stored.keys(table, { start: after + 1, limit: asked.first + 1 })];
  const [lowest] = after === 0 ? [] : stored.keys(table, { start: 0, end: after + 1, limit: 1 });
  return {
    positions: ids.slice(0, asked.first).map((id) => ({ by: "id", id })),
    hasNextPage: ids.length > asked.first,
    hasPreviousPage: lowest !== undefined,
    totalCount: asked.inStockOnly ? counts.inStock : counts.products,
  };
};

const walkFoundById = (ids: Ids, first: number, after: number): Walk => {
  const start = placeAfter(ids, after);
  return {
    positions: Array.from<number, Position>(ids.subarray(start, start + first), (id) => ({
      by: "id",
      id,
    })),
    hasNextPage: start + first < ids.length,
    hasPreviousPage: start > 0,
    totalCount: ids.length,
  };
};

/** By value, not by place: the product the cursor was taken at may be gone. */
const walkByRank = (
  ranked: Ranked,
  pinned: Pinned,
  first: number,
  after: Position | undefined,
): Walk => {
  const { groups, behind } = ranked.best(first, after?.by === "rank" ? after : undefined);
  const positions: Position[] = [];
  for (const { rank, ids } of groups) {
    for (const id of ids) {
      if (positions.length >= first) break;
      positions.push({ by: "rank", rank, id, pinned });
    }
  }
  return {
    positions,
    hasNextPage: behind > first,
    hasPreviousPage: behind < ranked.count,
    totalCount: ranked.count,
  };
};

type Sorted = ProductQuery & { readonly sort: NonNullable<ProductQuery["sort"]> };

const nothingPinned = { rarities: [], corrected: [], least: 0, joined: [], asks: 0 };

const walkSorted = (
  stored: Tables,
  counts: Counts,
  search: Search,
  asked: Sorted,
  found: Found | undefined,
  position: Position | undefined,
): Walk => {
  const { sort, first, inStockOnly } = asked;
  const after = position && "key" in position ? position : undefined;
  const ordered = { ...asked, wanted: first + 1, after };
  const { places, hasPrevious } = placesInOrder(stored, counts, search, ordered, found);
  const pinned = found?.pinned ?? nothingPinned;
  return {
    positions: places.slice(0, first).map(({ key, id }) => ({ by: sort, key, id, pinned })),
    hasNextPage: places.length > first,
    hasPreviousPage: hasPrevious,
    totalCount: found?.count ?? (inStockOnly ? counts.inStock : counts.products),
  };
};
