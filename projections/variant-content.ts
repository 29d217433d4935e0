import { priceMembers, type VariantData } from "../src/events/product-facts.ts";
import { findPriceChanges } from "../src/offers/price.ts";
import type { VariantContent } from "../src/read-model/schema/product-parts.ts";
import { toPriceGroup } from "./price-group.ts";
import { buildImages, buildSpecifications, cleanValue } from "./product-facts.ts";
import type { TextCleaner } from "./projection.ts";

/** Builds the content of a variant from an entry of a list or an event of its own. */
export const buildVariant = (data: VariantData, text: TextCleaner): VariantContent => {
  const { id, sku, gtin, mpn, name, url, unitPricing, quantityRule, condition } = data;
  const options = (data.options ?? []).map((each) => ({
    name: text.cleanText(each.name),
    value: text.cleanText(each.value),
  }));
  const images = buildImages(data.images, text);
  const specifications = buildSpecifications(data.specifications, text);
  const members = { sku, gtin, mpn, name, url, unitPricing, quantityRule, condition };
  return {
    id,
    options,
    active: data.active ?? true,
    ...(cleanValue(members, text) as Partial<VariantContent> | undefined),
    ...(images.length > 0 && { images }),
    ...(specifications.length > 0 && { specifications }),
    ...(priceMembers.some((member) => data[member] !== undefined) && {
      priceGroup: toPriceGroup(data),
    }),
  };
};

/** Lists the instants at which the prices of a variant change without an event. */
export const listVariantChanges = ({ priceGroup }: VariantContent): readonly number[] =>
  priceGroup ? findPriceChanges(priceGroup) : [];
