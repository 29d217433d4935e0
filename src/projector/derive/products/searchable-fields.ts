import { completeOptions } from "../../../../projections/product-options.ts";
import { type SearchableFields, toText } from "../../../../projections/search-terms.ts";
import type { NameValue } from "../../../events/event.ts";
import { foldText } from "../../../offers/option-selection.ts";
import type { ProductOption, VariantDocument } from "../../../read-model/schema/documents.ts";
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
  const optionTexts = completeOptions(options ?? [], variants).flatMap(toOptionTexts(variants));
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

/** Lists the name of an option with the values that variants have: all of them, where a variant leaves the option out. */
const toOptionTexts =
  (variants: readonly VariantDocument[]) =>
  ({ name, values }: ProductOption): readonly string[] => {
    const isOwn = (option: NameValue): boolean => foldText(option.name) === foldText(name);
    const own = new Set(variants.map(({ options }) => foldText(options.find(isOwn)?.value ?? "")));
    const isUsed = (value: string): boolean => own.has("") || own.has(foldText(value));
    const texts = values.flatMap(({ value }) => (isUsed(value) ? [value] : []));
    return texts.length > 0 ? [name, ...texts] : [];
  };
