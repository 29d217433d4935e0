import { type ArgumentNode, type FieldNode, Kind, type ValueNode } from "graphql";
import { productMembers } from "../../product-members.ts";
import type { SelectedField, Selection } from "../compiled/selection.ts";
import type { Variables } from "../compiled/variables.ts";
import { graphqlLimits } from "./limits.ts";

/** Page sizes of the lists around a selection, the outermost first. */
type Pages = readonly Page[];

interface Page {
  readonly first: ValueNode | undefined;
  /** Page size of an argument that is omitted or null. */
  readonly omitted: number;
}

/** Numbers by the pages that multiply them. */
type Terms = Map<Pages, number>;

/** Arguments of one `products` field, as values in the document. */
export interface RequestedPage {
  readonly first: ValueNode | undefined;
  /** Arguments that filter or sort products. */
  readonly filters: readonly ArgumentNode[];
  /** Whether the field selects `facets`, which count all matching products. */
  readonly isCounted: boolean;
}

/** Lists of all categories or all policies, within the root field of the same name. No argument bounds them. */
export type ListName = "categories" | "policies";

/** What an operation requests, before the variables are inserted. */
export interface Requested {
  readonly pages: readonly RequestedPage[];
  /** Fields that it writes, and variants that it reads. */
  readonly written: Terms;
  readonly variants: Terms;
  /** Fields selected from each entry of the lists of categories and policies, once per field of the response. */
  readonly listed: Readonly<Record<ListName, readonly string[]>>;
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
  kind === "offer" && graphql && !["price", "availability", "priceRange"].includes(graphql)
    ? graphql
    : [],
);

/** Fields below which no field reads the variants of a product. */
const leaves: ReadonlySet<string> = new Set(["facets", "featuredVariant", "variant"]);

/** Arguments of `products` that only select a page, or cost nothing. */
const cheapArguments = ["first", "after", "inStockOnly", "relax"];

/** Finds all that the limits count. @param selection with the fields that `@skip` and `@include` exclude */
export const findRequested = (selection: Selection): Requested => {
  const [written, variants]: readonly [Terms, Terms] = [new Map(), new Map()];
  const start = { written, variants, pages: [], page: undefined, isProduct: true };
  for (const root of selection) addField(root, start);
  const namesIn = (list: ListName): readonly string[] =>
    fieldsNamed(list, selection)
      .flatMap((root) => fieldsNamed(list, root.selection))
      .flatMap((field) => field.selection.map(({ name }) => name));
  return {
    pages: fieldsNamed("products", selection).map(toPage),
    written,
    variants,
    listed: { categories: namesIn("categories"), policies: namesIn("policies") },
  };
};

const fieldsNamed = (name: string, selection: Selection): Selection =>
  selection.filter((field) => field.name === name);

const toPage = ({ node, selection }: SelectedField): RequestedPage => ({
  first: getArgument(node, "first"),
  filters: (node.arguments ?? []).filter(({ name }) => !cheapArguments.includes(name.value)),
  isCounted: fieldsNamed("facets", selection).length > 0,
});

interface Position {
  readonly written: Terms;
  readonly variants: Terms;
  readonly pages: Pages;
  /** Page of the connection that the field belongs to. */
  readonly page: Page | undefined;
  /** Whether fields that read variants are those of a product, not of one variant. */
  readonly isProduct: boolean;
}

const addField = ({ name, node, selection }: SelectedField, position: Position): void => {
  const { pages, page, isProduct } = position;
  const omitted = pageSizes[name];
  const own = omitted === undefined ? undefined : { first: getArgument(node, "first"), omitted };
  add(position.written, pages, 1);
  if (isProduct) addVariants(name, own, position);
  const inner: Position = {
    ...position,
    pages: page && ["nodes", "edges"].includes(name) ? [...pages, page] : pages,
    page: own,
    isProduct: isProduct && !leaves.has(name) && (!own || name === "products"),
  };
  for (const field of selection) addField(field, inner);
};

const addVariants = (name: string, page: Page | undefined, { variants, pages }: Position): void => {
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

const getArgument = (field: FieldNode, name: string): ValueNode | undefined =>
  field.arguments?.find((arg) => arg.name.value === name)?.value;

/**
 * Reads a page size, capped at the maximum (Specification §8 rule 1).
 * @param omitted page size of an argument that is omitted or null
 */
export const getPageSize = (
  value: ValueNode | undefined,
  variables: Variables,
  omitted: number,
): number => Math.max(0, Math.min(readInt(value, variables) ?? omitted, graphqlLimits.pageSize));

const readInt = (value: ValueNode | undefined, variables: Variables): number | undefined => {
  if (value?.kind === Kind.INT) return Number(value.value);
  const variable = value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
  return typeof variable === "number" ? variable : undefined;
};
