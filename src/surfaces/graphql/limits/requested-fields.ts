import type { ValueNode } from "graphql";
import { productMembers } from "../../product-members.ts";
import type { SelectedField, Selection } from "../compiled/selection.ts";
import type { Variables } from "../compiled/variables.ts";
import { graphqlLimits } from "./limits.ts";
import { getArgument, getPageSize } from "./page-size.ts";

/** Page sizes of the lists around a selection, the outermost first. */
type Pages = readonly Page[];

interface Page {
  readonly first: ValueNode | undefined;
  /** Page size of an argument that is omitted or null. */
  readonly omitted: number;
}

/** Numbers by the pages that multiply them. */
type Terms = Map<Pages, number>;

/** Fields that an operation writes, and variants that it reads, before the page sizes are inserted. */
export interface RequestedFields {
  readonly written: Terms;
  readonly variants: Terms;
}

const pageSizes: Readonly<Record<string, number>> = {
  products: graphqlLimits.defaultPageSize,
  variants: graphqlLimits.defaultPageSize,
  matchedVariants: graphqlLimits.defaultMatches,
};

/** Fields that each read something of all variants of a product. */
const scans: ReadonlySet<string> = new Set(["options", "variant", "matchedVariants"]);

/** Fields that show a part of the offer of a product, which is read once for all of them. Price, availability and range are stored. */
const offerMembers: readonly string[] = Object.values(productMembers).flatMap(([kind, graphql]) =>
  kind === "offer" && !["price", "availability", "priceRange"].includes(graphql) ? graphql : [],
);

/** Fields below which no field reads the variants of a product. */
const leaves: ReadonlySet<string> = new Set(["facets", "featuredVariant", "variant"]);

/** Counts the fields of an operation. @param selection with the fields that `@skip` and `@include` exclude */
export const findFields = (selection: Selection): RequestedFields => {
  const [requested, page, isProduct] = [
    { written: new Map(), variants: new Map() },
    undefined,
    true,
  ];
  for (const root of selection) addField(root, { requested, pages: [], page, isProduct });
  return requested;
};

interface Position {
  readonly requested: RequestedFields;
  readonly pages: Pages;
  /** Page of the connection that the field belongs to. */
  readonly page: Page | undefined;
  /** Whether fields that read variants are those of a product, not of one variant. */
  readonly isProduct: boolean;
}

const addField = ({ name, node, selection }: SelectedField, position: Position): void => {
  const { requested, pages, page, isProduct } = position;
  const omitted = pageSizes[name];
  const own = omitted === undefined ? undefined : { first: getArgument(node, "first"), omitted };
  add(requested.written, pages, 1);
  if (isProduct) addVariants(name, own, position);
  const inner: Position = {
    requested,
    pages: page && ["nodes", "edges"].includes(name) ? [...pages, page] : pages,
    page: own,
    isProduct: isProduct && !leaves.has(name) && (!own || name === "products"),
  };
  for (const field of selection) addField(field, inner);
};

const addVariants = (
  name: string,
  page: Page | undefined,
  { requested: { variants }, pages }: Position,
): void => {
  const weight = graphqlLimits.defaultPageSize;
  if (page && name !== "products") add(variants, [...pages, page], 1);
  if (scans.has(name)) add(variants, [...pages], weight);
  if (offerMembers.includes(name)) variants.set(pages, weight);
};

const add = (terms: Terms, pages: Pages, count: number): void => {
  terms.set(pages, (terms.get(pages) ?? 0) + count);
};

/** @param variables already coerced, defaults filled in */
export const sumTerms = (terms: Terms, variables: Variables): number => {
  let sum = 0;
  for (const [pages, count] of terms)
    sum += pages.reduce(
      (total, { first, omitted }) => total * getPageSize(first, variables, omitted),
      count,
    );
  return sum;
};
