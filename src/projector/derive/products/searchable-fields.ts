import { completeOptions } from "../../../../projections/product-options.ts";
import { type SearchableFields, toText } from "../../../../projections/search-terms.ts";
import type { VariantDocument } from "../../../read-model/schema/documents.ts";
import { toOptionValues } from "./filter-values.ts";
import type { VisibleProduct } from "./visible-product.ts";

/** Collects the texts by which a search finds a product. */
export const toSearchableFields = (visible: VisibleProduct): SearchableFields => ({
  ...visible.product,
  specifications: visible.core.specifications,
  ...toVariantTexts(visible),
});

/** Collects the texts that are in none of the product's published members, each once. */
export const toVariantTexts = ({
  core: { facts },
  variants = [],
}: VisibleProduct): Pick<SearchableFields, "labels" | "codes"> => {
  const { tags, highlights, mpn, options } = facts ?? {};
  const labels = [...(tags ?? []), ...(highlights ?? []), ...variants.flatMap(toLabels)];
  const complete = completeOptions(options ?? [], variants);
  const optionTexts = toOptionValues(complete.options, complete.variants, options).flatMap(
    ([name, , values]) => [name, ...values],
  );
  const codes = [mpn, ...variants.flatMap((each) => [each.sku, each.gtin, each.mpn])];
  return {
    labels: [...new Set(labels), ...optionTexts],
    codes: [...new Set(codes.filter((code) => typeof code === "string"))],
  };
};

const toLabels = ({ name, specifications = [] }: VariantDocument): readonly string[] => [
  ...specifications.map(toText),
  ...(name ? [name] : []),
];
