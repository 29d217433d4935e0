import type { ProductPage, ProductQuery, Products } from "../../read-model/reader.ts";
import { ceilings } from "./ceilings.ts";
import { invalidArgument, type UserError, type WithUserErrors } from "./user-errors.ts";

/** Arguments of `Query.products` as a client gave them: any may be absent or null. */
export interface ProductsArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly query?: string | null;
  readonly inStockOnly?: boolean | null;
}

/** What the resolvers of ProductConnection read; `edges` and `nodes` are drawn from it when asked for. */
export interface ProductConnection<P> extends WithUserErrors {
  readonly nodes: readonly P[];
  readonly cursors: readonly string[];
  readonly totalCount: number;
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** `Query.products` (§4.1 rules 1 and 2, §8 rule 1): a page, or an empty one with the reasons. */
export const products = <P>(
  moment: Pick<Products<P>, "products">,
  args: ProductsArguments,
): ProductConnection<P> => {
  const { capped, refusals } = judge(args);
  if (refusals.length > 0) return emptyPage([...capped, ...refusals]);
  const page = moment.products(asked(args));
  return page ? connection(page, capped) : emptyPage([...capped, malformedCursor]);
};

export const edges = <P>({ nodes, cursors }: ProductConnection<P>) =>
  nodes.map((node, index) => ({ cursor: cursors[index], node }));

export const emptyPage = (userErrors: readonly UserError[]): ProductConnection<never> =>
  connection(noProducts, userErrors);

const noProducts: ProductPage<never> = {
  products: [],
  cursors: [],
  hasNextPage: false,
  hasPreviousPage: false,
  totalCount: 0,
};

const malformedCursor = invalidArgument(
  ["products", "after"],
  "`after` is no cursor of this list: pass the `endCursor` of an earlier page.",
);

const judge = ({ first, query }: ProductsArguments) => {
  const capped: UserError[] = [];
  const refusals: UserError[] = [];
  if (first != null && first > ceilings.pageSize) {
    const message = `\`first\` is capped at ${ceilings.pageSize}: the page was served at ${ceilings.pageSize}.`;
    capped.push(invalidArgument(["products", "first"], message));
  }
  if (first != null && first <= 0) {
    refusals.push(invalidArgument(["products", "first"], "`first` must be 1 or more."));
  }
  if (query != null && [...query].length > ceilings.queryCharacters) {
    const message = `\`query\` may hold ${ceilings.queryCharacters} characters at most.`;
    refusals.push(invalidArgument(["products", "query"], message));
  }
  return { capped, refusals };
};

const asked = ({ first, after, query, inStockOnly }: ProductsArguments): ProductQuery => ({
  first: Math.min(first ?? ceilings.defaultPageSize, ceilings.pageSize),
  ...(after != null && { after }),
  // Only spaces ask for nothing in particular.
  ...(query?.trim() && { query }),
  ...(inStockOnly && { inStockOnly }),
});

const connection = <P>(
  page: ProductPage<P>,
  userErrors: readonly UserError[],
): ProductConnection<P> => ({
  nodes: page.products,
  cursors: page.cursors,
  totalCount: page.totalCount,
  pageInfo: {
    hasNextPage: page.hasNextPage,
    hasPreviousPage: page.hasPreviousPage,
    startCursor: page.cursors[0] ?? null,
    endCursor: page.cursors.at(-1) ?? null,
  },
  userErrors,
});
