import { decodeCursor, encodeCursor, type Position } from "./cursor.ts";
import type { ProductDocument } from "./documents.ts";
import type { CategoryProducts, Counts, ProductPage, ProductQuery } from "./reader.ts";
import { type Match, matchProducts } from "./search/match.ts";
import type { Tables } from "./store.ts";
import { type Table, tables } from "./tables.ts";

interface Walk {
  readonly ids: readonly number[];
  readonly positions: readonly Position[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly totalCount: number;
}

/** What a query matches, best first. */
export type Search = (query: string) => readonly Match[];

/** Searches one moment; a query that is asked again there is not matched again. */
export const searchOf = (stored: Tables): Search => {
  const known = new Map<string, readonly Match[]>();
  return (query) => {
    const matches = known.get(query) ?? matchProducts(stored, query);
    known.set(query, matches);
    return matches;
  };
};

/** A page of products, in the form `find` has them; undefined when `after` is no cursor of such a walk. */
export const pageOf = <P>(
  stored: Tables,
  counts: Counts,
  asked: ProductQuery,
  search: Search,
  find: (id: number) => P,
): ProductPage<P> | undefined => {
  const after = asked.after === undefined ? undefined : decodeCursor(asked.after);
  if (asked.after !== undefined && !after) return undefined;
  const query = asked.query?.trim() ?? "";
  if (after && (after.by === "rank") !== (query !== "")) return undefined;
  const walk =
    query === ""
      ? walkById(stored, counts, asked, after?.id ?? 0)
      : walkByRank(matching(stored, search(query), asked.inStockOnly), asked.first, after);
  return {
    products: walk.ids.map(find),
    cursors: walk.positions.map(encodeCursor),
    hasNextPage: walk.hasNextPage,
    hasPreviousPage: walk.hasPreviousPage,
    totalCount: walk.totalCount,
  };
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
    products: page.map((id) => stored.get(tables.products, id) as ProductDocument),
    next: ids.length > first && last ? encodeCursor({ by: "id", id: last }) : undefined,
  };
};

const walkById = (stored: Tables, counts: Counts, asked: ProductQuery, after: number): Walk => {
  const table: Table<number, unknown> = asked.inStockOnly ? tables.inStock : tables.products;
  const ids = [...stored.keys(table, { start: after + 1, limit: asked.first + 1 })];
  const page = ids.slice(0, asked.first);
  const [lowest] = after === 0 ? [] : stored.keys(table, { start: 0, end: after + 1, limit: 1 });
  return {
    ids: page,
    positions: page.map((id) => ({ by: "id", id })),
    hasNextPage: ids.length > asked.first,
    hasPreviousPage: lowest !== undefined,
    totalCount: asked.inStockOnly ? counts.inStock : counts.products,
  };
};

const matching = (
  stored: Tables,
  matches: readonly Match[],
  inStockOnly = false,
): readonly Match[] =>
  inStockOnly ? matches.filter(({ id }) => stored.has(tables.inStock, id)) : matches;

const walkByRank = (
  matches: readonly Match[],
  first: number,
  after: Position | undefined,
): Walk => {
  const found = after?.by === "rank" ? matches.findIndex((match) => isBehind(match, after)) : 0;
  const start = found === -1 ? matches.length : found;
  const page = matches.slice(start, start + first);
  return {
    ids: page.map(({ id }) => id),
    positions: page.map(({ id, rank }) => ({ by: "rank", rank, id })),
    hasNextPage: start + first < matches.length,
    hasPreviousPage: start > 0,
    totalCount: matches.length,
  };
};

/** By value, not by place: the product the cursor was taken at may be gone. */
const isBehind = (match: Match, after: { readonly rank: number; readonly id: number }): boolean =>
  match.rank < after.rank || (match.rank === after.rank && match.id > after.id);
