import {
  type FieldNode,
  type GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";
import type { Variables } from "../compiled/variables.ts";
import { type Fragments, inlineFields } from "./fields.ts";
import { graphqlLimits, limitError } from "./limits.ts";
import { getArgument, getPageSize } from "./page-size.ts";
import { countVariants, type RequestedVariants } from "./requested-variants.ts";

/** Arguments of one `products` field, as values in the document. */
export interface RequestedPage {
  readonly first: ValueNode | undefined;
  /** Arguments that filter or sort products. */
  readonly filters: readonly ValueNode[];
  /** Whether the field selects `facets`, which count all matching products. */
  readonly isCounted: boolean;
}

/** Arguments of `products` that only select a page, or cost nothing. */
const cheapArguments = ["first", "after", "inStockOnly", "relax"];

/** Finds every `products` field of an operation. Call it only after `checkLimits` has passed. */
export const findProductFields = (
  set: SelectionSetNode,
  fragments: Fragments,
): readonly RequestedPage[] =>
  inlineFields(set, fragments)
    .filter(({ name }) => name.value === "products")
    .map((field) => ({
      first: getArgument(field, "first"),
      filters: getFilters(field),
      isCounted: inlineFields(field.selectionSet, fragments).some(
        ({ name }) => name.value === "facets",
      ),
    }));

/** Checks the sum of page sizes, the number of searches and the number of variants. */
export const checkPages = (
  pages: readonly RequestedPage[],
  variantFields: readonly RequestedVariants[],
  variables: Variables,
): GraphQLError | undefined => {
  const pageSizes = sumPageSizes(pages, variables);
  if (pageSizes > graphqlLimits.pageSizes) return limitError("pageSizes", pageSizes);
  const searches = countSearches(pages, variables);
  if (searches > graphqlLimits.searches) return limitError("searches", searches);
  const variants = countVariants(variantFields, variables);
  return variants > graphqlLimits.variants ? limitError("variants", variants) : undefined;
};

/** Counts the pages that need a search or a count; null arguments need none. */
const countSearches = (pages: readonly RequestedPage[], variables: Variables): number =>
  pages.filter(
    ({ filters, isCounted }) =>
      isCounted ||
      filters.some((value) =>
        value.kind === Kind.VARIABLE
          ? variables[value.name.value] != null
          : value.kind !== Kind.NULL,
      ),
  ).length;

/**
 * Sums the page sizes of all `products` fields, each capped at the maximum page size (Specification §8 rule 1).
 * @param variables already coerced, defaults filled in
 */
const sumPageSizes = (pages: readonly RequestedPage[], variables: Variables): number =>
  pages.reduce(
    (total, { first }) => total + getPageSize(first, variables, graphqlLimits.defaultPageSize),
    0,
  );

const getFilters = (field: FieldNode): readonly ValueNode[] =>
  (field.arguments ?? [])
    .filter(({ name }) => !cheapArguments.includes(name.value))
    .map(({ value }) => value);
