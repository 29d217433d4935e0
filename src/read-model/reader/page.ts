import type { OffsetPageQuery, ProductQuery } from "../schema/queries.ts";
import { type Table, tables } from "../schema/tables.ts";
import { indexAfter } from "../search/postings/doc-ids.ts";
import type { RankedResults } from "../search/ranking/ranked-results.ts";
import { noInterpretation, type SearchResult } from "../search/search-products.ts";
import { isFiltered } from "../search/searcher.ts";
import type { ReadTables } from "../store/store.ts";
import { type CursorPosition, decodeCursor, encodeCursor } from "./cursor.ts";
import { type Product, type ProductRow, scanProducts } from "./product.ts";
import type { CategoryProducts, OffsetPage, ProductPage } from "./reader.ts";
import { findSortedPage, type PageContext, type SortedRequest } from "./sorted-page.ts";

/** The first matches of a query, of all or after a position. */
interface Selection {
  readonly positions: readonly CursorPosition[];
  /** Whether matches precede them; false without a position. */
  readonly hasPrevious: boolean;
}

interface Request extends Omit<SortedRequest, "sort" | "after"> {
  readonly sort?: SortedRequest["sort"] | "relevance";
  readonly after?: CursorPosition | undefined;
  /** The rows from `after` on, where they are read already. */
  readonly rows?: readonly ProductRow[] | undefined;
}

/** Selects up to `limit` products of one rank. */
type BreakTies = (ids: Iterable<number>, limit: number) => Iterable<number>;

/** Returns true when a query selects all products, sorted by id. */
export const isUnfiltered = (query: ProductQuery): boolean =>
  !query.inStockOnly && !query.sort && !isFiltered(query);

/**
 * Builds a page of products.
 * @returns undefined when `after` is no cursor of this query
 */
export const buildCursorPage = (
  context: PageContext,
  query: ProductQuery,
): ProductPage | undefined => {
  const { first, after: cursor, ...others } = query;
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  if (cursor !== undefined && after?.by !== positionKind(query)) return undefined;
  const interpretation = after && after.by !== "id" ? after.interpretation : undefined;
  const result = isFiltered(query) ? context.search(query, interpretation) : undefined;
  if (isFiltered(query) && !result) return undefined;
  const request = { limit: first + 1, after, ...others };
  const rows = isUnfiltered(query) ? scanFrom(context, request) : undefined;
  const { positions, hasPrevious } = select(context, { rows, ...request }, result);
  const page = positions.slice(0, first);
  return {
    products: rows?.slice(0, first).map(context.show) ?? page.map(({ id }) => context.read(id)),
    cursor(at) {
      const position = page.at(at);
      return position && encodeCursor(position);
    },
    hasNextPage: positions.length > first,
    hasPreviousPage: hasPrevious,
    totalCount: countMatches(context, query, result),
    ...(result?.ranking && { understood: result.understood }),
  };
};

/** Scans the catalogue. Measured: looking up each product by its id takes twice as long. */
const scanFrom = ({ stored }: PageContext, { after, limit }: Request): readonly ProductRow[] =>
  scanProducts(stored, (after?.id ?? 0) + 1, limit);

const positionKind = ({ sort, query }: ProductQuery): CursorPosition["by"] =>
  sort ?? ((query?.trim() ?? "") === "" ? "id" : "rank");

/** Builds a page by offset, with the exact number of matches. Those of one rank are sorted by stock, then by id. */
export const buildOffsetPage = (context: PageContext, query: OffsetPageQuery): OffsetPage => {
  const { offset } = query;
  const result = isFiltered(query) ? context.search(query) : undefined;
  const total = countMatches(context, query, result);
  const request = { ...query, limit: offset + query.limit };
  // Skips sorting for an offset past the end.
  const found =
    offset < total ? select(context, request, result, inStockFirst(context.stored)) : undefined;
  return {
    products: found?.positions.slice(offset).map(({ id }) => context.read(id)) ?? [],
    total,
    ...(result?.ranking && { understood: result.understood }),
  };
};

const countMatches = (
  { counts }: PageContext,
  { inStockOnly }: Pick<ProductQuery, "inStockOnly">,
  result: SearchResult | undefined,
): number => result?.ids.length ?? (inStockOnly ? counts.inStock : counts.products);

const select = (
  context: PageContext,
  request: Request,
  result: SearchResult | undefined,
  breakTies?: BreakTies,
): Selection => {
  const { sort, after, limit } = request;
  if (sort && sort !== "relevance") return selectSorted(context, { ...request, sort }, result);
  if (!result) return selectStored(context, request);
  if (result.ranking) return selectByRank(result, result.ranking, request, breakTies);
  const { ids } = result;
  const start = indexAfter(ids, after?.id ?? 0);
  return { positions: toPositions(ids.subarray(start, start + limit)), hasPrevious: start > 0 };
};

const selectSorted = (
  context: PageContext,
  { after: position, ...request }: Request & Pick<SortedRequest, "sort">,
  result: SearchResult | undefined,
): Selection => {
  const after = position && "key" in position ? position : undefined;
  const { positions, hasPrevious } = findSortedPage(context, { after, ...request }, result);
  const [by, interpretation] = [request.sort, result?.interpretation ?? noInterpretation];
  return {
    positions: positions.map(({ key, id }) => ({ by, key, id, interpretation })),
    hasPrevious,
  };
};

const selectStored = (
  { stored }: PageContext,
  { inStockOnly, after, limit, rows }: Request,
): Selection => {
  const table: Table<number, unknown> = inStockOnly ? tables.inStock : tables.products;
  const start = (after?.id ?? 0) + 1;
  const [previous] = after ? stored.keys(table, { start: 0, end: start, limit: 1 }) : [];
  return {
    positions: toPositions(rows?.map(({ id }) => id) ?? stored.keys(table, { start, limit })),
    hasPrevious: previous !== undefined,
  };
};

const toPositions = (ids: Iterable<number>): readonly CursorPosition[] =>
  Array.from(ids, (id) => ({ by: "id", id }));

/** Continues after the cursor's rank and id, because the product of the cursor may be deleted. */
const selectByRank = (
  { interpretation }: SearchResult,
  ranked: RankedResults,
  { limit, after }: Request,
  breakTies: BreakTies | undefined,
): Selection => {
  const afterId = after?.by === "rank" ? { score: after.rank, id: after.id } : undefined;
  const { groups, afterCount } = ranked.selectTop(limit, afterId);
  const positions: CursorPosition[] = [];
  for (const { score, ids } of groups) {
    for (const id of breakTies?.(ids, limit - positions.length) ?? ids) {
      if (positions.length >= limit) break;
      positions.push({ by: "rank", rank: score, id, interpretation });
    }
  }
  return { positions, hasPrevious: afterCount < ranked.ids.length };
};

/** Selects those in stock first. It stops when `limit` ids in stock were read. */
const inStockFirst =
  (stored: ReadTables): BreakTies =>
  (ids, limit) => {
    const [inStock, others]: [number[], number[]] = [[], []];
    for (const id of ids) {
      if (inStock.length >= limit) break;
      if (stored.has(tables.inStock, id)) inStock.push(id);
      else if (others.length < limit) others.push(id);
    }
    // No spread into arguments, because a large catalogue would exceed the maximum number of arguments.
    return inStock.concat(others).slice(0, limit);
  };

/**
 * Builds a page of the products directly in a category.
 * @returns undefined when `after` is no cursor of a page by id
 */
export const buildCategoryPage = (
  stored: ReadTables,
  category: number,
  { first, after }: { readonly first: number; readonly after?: string },
  read: (id: number) => Product,
): CategoryProducts | undefined => {
  const position = after === undefined ? undefined : decodeCursor(after);
  if (after !== undefined && position?.by !== "id") return undefined;
  const start = [category, (position?.id ?? 0) + 1] as const;
  const range = { start, end: [category + 1], limit: first + 1 } as const;
  const ids = [...stored.keys(tables.categoryProducts, range)].map(([, id]) => id);
  const page = ids.slice(0, first);
  const last = page.at(-1);
  return {
    products: page.map(read),
    next: ids.length > first && last ? encodeCursor({ by: "id", id: last }) : undefined,
  };
};
