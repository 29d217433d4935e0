import type { SearchableFields } from "../../../../projections/search-terms.ts";
import type { VariantDocument } from "../../../read-model/schema/documents.ts";
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
  const { tags, highlights, mpn } = facts ?? {};
  const labels = [...(tags ?? []), ...(highlights ?? []), ...variants.flatMap(toLabels)];
  const codes = [mpn, ...variants.flatMap((each) => [each.sku, each.gtin, each.mpn])];
  return {
    labels: [...new Set(labels)],
    codes: [...new Set(codes.filter((code) => typeof code === "string"))],
  };
};

const toLabels = ({ options, name, specifications = [] }: VariantDocument): readonly string[] => [
  ...options.map(({ value }) => value),
  ...specifications.map((each) => `${each.name} ${each.value}`),
  ...(name ? [name] : []),
];
