import {
  type FieldNode,
  type GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";
import { type Fragments, inlineFields } from "./fields.ts";
import { graphqlLimits, limitError } from "./limits.ts";

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

/** Checks the sum of page sizes and the number of searches. */
export const checkPages = (
  pages: readonly RequestedPage[],
  variables: Readonly<Record<string, unknown>>,
): GraphQLError | undefined => {
  const pageSizes = sumPageSizes(pages, variables);
  if (pageSizes > graphqlLimits.pageSizes) return limitError("pageSizes", pageSizes);
  const searches = countSearches(pages, variables);
  return searches > graphqlLimits.searches ? limitError("searches", searches) : undefined;
};

/** Counts the pages that need a search or a count; null arguments need none. */
const countSearches = (
  pages: readonly RequestedPage[],
  variables: Readonly<Record<string, unknown>>,
): number =>
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
const sumPageSizes = (
  pages: readonly RequestedPage[],
  variables: Readonly<Record<string, unknown>>,
): number => pages.reduce((total, { first }) => total + getPageSize(first, variables), 0);

const getArgument = (field: FieldNode, name: string): ValueNode | undefined =>
  field.arguments?.find((arg) => arg.name.value === name)?.value;

const getFilters = (field: FieldNode): readonly ValueNode[] =>
  (field.arguments ?? [])
    .filter(({ name }) => !cheapArguments.includes(name.value))
    .map(({ value }) => value);

const getPageSize = (
  value: ValueNode | undefined,
  variables: Readonly<Record<string, unknown>>,
): number => {
  const first = readInt(value, variables) ?? graphqlLimits.defaultPageSize;
  return Math.max(0, Math.min(first, graphqlLimits.pageSize));
};

const readInt = (
  value: ValueNode | undefined,
  variables: Readonly<Record<string, unknown>>,
): number | undefined => {
  if (value?.kind === Kind.INT) return Number(value.value);
  const variable = value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
  return typeof variable === "number" ? variable : undefined;
};
