import { lazy } from "../../../platform/memo.ts";
import type { Product } from "../../../read-model/reader/product.ts";
import type { ProductPage, Snapshot } from "../../../read-model/reader/reader.ts";
import type { Facets, ProductQuery } from "../../../read-model/schema/queries.ts";
import { reportSearch, type SearchReport } from "../../product-search.ts";
import { invalidArgument, type UserError, type WithUserErrors } from "../../user-error.ts";
import type { ResolverContext } from "../resolver-context.ts";
import { findMatched } from "./matched-variants.ts";
import {
  argumentErrors,
  capWarning,
  type ProductsArguments,
  toProductQuery,
} from "./products-args.ts";

/** Source value of the ProductConnection resolvers, which compute `edges` and `facets` from it when selected. */
export interface ProductConnection extends WithUserErrors, Pick<ProductPage, "cursor"> {
  readonly nodes: readonly Product[];
  readonly totalCount: number;
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly search: SearchReport | null;
  /** Query of the page; undefined when the arguments were invalid. */
  readonly query: ProductQuery | undefined;
}

/** Resolves `Query.products` (Specification §4.1 rules 1 and 2, §8 rule 1): a page, or an empty page with errors. */
export const products = (snapshot: Snapshot, args: ProductsArguments): ProductConnection => {
  const warnings = capWarning(args);
  const errors = argumentErrors(snapshot, args);
  if (errors.length > 0) return emptyPage([...warnings, ...errors]);
  const query = toProductQuery(args);
  const page = snapshot.products(query);
  if (!page) return emptyPage([...warnings, malformedCursor]);
  return {
    ...toConnection(page, warnings),
    search: reportSearch(snapshot, page.understood, page.totalCount, query.query ?? ""),
    query,
  };
};

/** Counts facets; called only when they are selected. */
export const facets = (
  { query }: ProductConnection,
  _args: object,
  { snapshot }: ResolverContext,
): Facets => (query ? snapshot.facets(query) : noFacets);

const noFacets: Facets = { brands: [], categories: [], prices: [], options: [], attributes: [] };

export const edges = (
  { nodes, cursor, query }: ProductConnection,
  _args: object,
  context: ResolverContext,
) => {
  const matched = lazy(() => findMatched(nodes, query, context));
  return nodes.map((node, index) => ({ cursor: cursor(index), node, matched }));
};

export const emptyPage = (userErrors: readonly UserError[]): ProductConnection =>
  toConnection(emptyProductPage, userErrors);

const emptyProductPage: ProductPage = {
  products: [],
  cursor: () => undefined,
  hasNextPage: false,
  hasPreviousPage: false,
  totalCount: 0,
};

const malformedCursor = invalidArgument(
  ["products", "after"],
  "`after` is not a cursor of this list: pass the `endCursor` of an earlier page.",
);

const toConnection = (page: ProductPage, userErrors: readonly UserError[]): ProductConnection => ({
  nodes: page.products,
  cursor: page.cursor,
  totalCount: page.totalCount,
  pageInfo: {
    hasNextPage: page.hasNextPage,
    hasPreviousPage: page.hasPreviousPage,
    startCursor: page.cursor(0) ?? null,
    endCursor: page.cursor(-1) ?? null,
  },
  search: null,
  query: undefined,
  userErrors,
});
