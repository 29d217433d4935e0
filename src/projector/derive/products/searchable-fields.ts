import { type SearchableFields, toText } from "../../../../projections/search-terms.ts";
import type { VariantMembers } from "../../../read-model/schema/documents.ts";
import type { VisibleProduct } from "./visible-product.ts";

/** Collects the texts by which a search finds a product, without its description. */
export const toSearchableFields = ({
  text,
  variants,
}: VisibleProduct): Omit<SearchableFields, "description"> => {
  const { name, brand, reference, gtin, specifications } = text;
  const { tags, highlights, mpn } = text.facts;
  const { index, members = [] } = variants ?? {};
  const labels = [...(tags ?? []), ...(highlights ?? []), ...members.flatMap(toLabels)];
  const optionTexts = (index?.options ?? []).flatMap(([option, , values]) => [option, ...values]);
  const codes = [mpn, ...members.flatMap((each) => [each.sku, each.gtin, each.mpn])];
  return {
    ...{ name, brand, reference, gtin, specifications },
    labels: [...new Set(labels), ...optionTexts],
    codes: [...new Set(codes.filter((code) => typeof code === "string"))],
  };
};

const toLabels = ({ name, specifications = [] }: VariantMembers): readonly string[] => [
  ...specifications.map(toText),
  ...(name ? [name] : []),
];
