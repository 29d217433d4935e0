import type {
  Facets,
  ProductPage,
  ProductQuery,
  Products,
  Snapshot,
} from "../../../read-model/reader/reader.ts";
import { invalidArgument, type UserError, type WithUserErrors } from "../user-errors.ts";
import { asked, cappedBy, type ProductsArguments, refusalsOf } from "./products-args.ts";

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
  readonly search: SearchReport | null;
  /** What the page was asked for by; undefined for one that was refused. */
  readonly asked: ProductQuery | undefined;
}

interface SearchReport {
  readonly relaxed: boolean;
  readonly corrections: readonly { readonly word: string; readonly words: readonly string[] }[];
  readonly unknownWords: readonly string[];
  readonly suggestions: readonly string[];
}

/**
 * `Query.products` (§4.1 rules 1 and 2, §8 rule 1): a page, or an empty one with the reasons.
 * @param form gives the page's products, of the same moment
 */
export const products = <P>(
  moment: Snapshot,
  args: ProductsArguments,
  form: Pick<Products<P>, "products">,
): ProductConnection<P> => {
  const capped = cappedBy(args);
  const refusals = refusalsOf(moment, args);
  if (refusals.length > 0) return emptyPage([...capped, ...refusals]);
  const query = asked(args);
  const page = form.products(query);
  if (!page) return emptyPage([...capped, malformedCursor]);
  return { ...connection(page, capped), search: reportOf(moment, page, query), asked: query };
};

const reportOf = (
  moment: Snapshot,
  { understood, totalCount }: ProductPage<unknown>,
  { query = "" }: ProductQuery,
): SearchReport | null =>
  understood
    ? {
        relaxed: understood.relaxed,
        corrections: understood.corrected,
        unknownWords: understood.unknown,
        // Not before they are asked for: they cost more than the page.
        get suggestions() {
          return totalCount === 0 ? moment.suggestions(query) : [];
        },
      }
    : null;

/** Counted only when they are asked for. */
export const facets = (moment: Snapshot, { asked }: ProductConnection<unknown>): Facets =>
  asked ? moment.facets(asked) : { brands: [], categories: [], prices: [] };

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
  search: null,
  asked: undefined,
  userErrors,
});
