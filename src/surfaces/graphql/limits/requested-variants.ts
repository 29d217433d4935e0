import type { FieldNode, SelectionSetNode, ValueNode } from "graphql";
import type { Variables } from "../compiled/variables.ts";
import { type Fragments, inlineFields } from "./fields.ts";
import { graphqlLimits } from "./limits.ts";
import { getArgument, getPageSize } from "./page-size.ts";

/** A field that reads variants, for each product of a page. */
export interface RequestedVariants {
  /** `first` of the page of products, with its default; undefined for a single product. */
  readonly products: { readonly first: ValueNode | undefined } | undefined;
  /** `first` of the variants; undefined for a field that reads all variants. */
  readonly variants:
    | { readonly first: ValueNode | undefined; readonly omitted: number }
    | undefined;
}

/** Fields below which no field reads the variants of a product. */
const leaves: ReadonlySet<string> = new Set(["facets", "featuredVariant"]);

/** Finds every field that reads variants. Call it only after `checkLimits` has passed. */
export const findVariantFields = (
  set: SelectionSetNode,
  fragments: Fragments,
): readonly RequestedVariants[] =>
  inlineFields(set, fragments).flatMap((root) => {
    const isPage = root.name.value === "products";
    const products = isPage ? { first: getArgument(root, "first") } : undefined;
    return findWithin(root, fragments).map((variants) => ({ products, variants }));
  });

const findWithin = (
  { selectionSet }: FieldNode,
  fragments: Fragments,
): readonly RequestedVariants["variants"][] =>
  inlineFields(selectionSet, fragments).flatMap((field) => {
    const first = getArgument(field, "first");
    switch (field.name.value) {
      case "variants":
        return [{ first, omitted: graphqlLimits.defaultPageSize }];
      case "matchedVariants":
        return [{ first, omitted: graphqlLimits.defaultMatches }];
      case "options":
      case "variant":
        return [undefined];
      default:
        return leaves.has(field.name.value) ? [] : findWithin(field, fragments);
    }
  });

/**
 * Counts the variants that an operation asks for. A field that selects among all variants counts as a page without `first`, because
 * the index holds what it needs in two rows.
 * @param variables already coerced, defaults filled in
 */
export const countVariants = (
  fields: readonly RequestedVariants[],
  variables: Variables,
): number => {
  const { defaultPageSize } = graphqlLimits;
  return fields.reduce((total, { products, variants }) => {
    const perProduct = variants
      ? getPageSize(variants.first, variables, variants.omitted)
      : defaultPageSize;
    const count = products ? getPageSize(products.first, variables, defaultPageSize) : 1;
    return total + count * perProduct;
  }, 0);
};
