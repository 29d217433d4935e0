import { type GraphQLError, Kind, type ValueNode } from "graphql";
import type { Variables } from "../compiled/variables.ts";
import { findExceeded, graphqlLimits } from "./limits.ts";
import { getPageSize, type Requested, type RequestedPage, sumTerms } from "./requested-fields.ts";

/** Filters that read the prices, options or facts of all matching products, once for all of them. */
const valueFilters = "options attributes onSale condition minRating priceMin priceMax".split(" ");
const valueSorts: readonly unknown[] = ["DISCOUNT", "RATING", "NEWEST"];

/** Checks the sums over a document: page sizes, searches, expensive arguments, variants and fields. */
export const checkPages = (
  { pages, variants, written }: Requested,
  variables: Variables,
): GraphQLError | undefined =>
  findExceeded({
    pageSizes: sumPageSizes(pages, variables),
    ...countSearches(pages, variables),
    variants: sumTerms(variants, variables),
    writtenFields: sumTerms(written, variables),
  })[0];

/** Counts the pages that need a search or a count, and the weights of their arguments; null arguments need none. */
const countSearches = (pages: readonly RequestedPage[], variables: Variables) => {
  let [searches, expensiveArguments] = [0, 0];
  for (const { filters, isCounted } of pages) {
    const values = filters.flatMap(({ name, value }) => {
      const given = readValue(value, variables);
      return given == null ? [] : [[name.value, given] as const];
    });
    if (isCounted || values.length > 0) searches += 1;
    const has = (isMet: (name: string, value: unknown) => boolean): number =>
      values.some(([name, value]) => isMet(name, value)) ? 1 : 0;
    expensiveArguments +=
      (isCounted ? 1 : 0) +
      has((name) => valueFilters.includes(name)) * graphqlLimits.valueFilterWeight +
      has((name, value) => name === "orderBy" && valueSorts.includes(value)) +
      has((name) => name === "stockStatus");
  }
  return { searches, expensiveArguments };
};

/** Reads a variable, a null or the name of an enum value. Any other value counts as itself. */
const readValue = (value: ValueNode, variables: Variables): unknown => {
  if (value.kind === Kind.VARIABLE) return variables[value.name.value];
  if (value.kind === Kind.NULL) return null;
  return value.kind === Kind.ENUM ? value.value : value;
};

/**
 * Sums the page sizes of all `products` fields, each capped at the maximum page size (Specification §8 rule 1).
 * @param variables already coerced, defaults filled in
 */
const sumPageSizes = (pages: readonly RequestedPage[], variables: Variables): number =>
  pages.reduce(
    (total, { first }) => total + getPageSize(first, variables, graphqlLimits.defaultPageSize),
    0,
  );
