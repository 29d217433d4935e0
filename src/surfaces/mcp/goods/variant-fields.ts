import type { ShownVariant } from "../../../read-model/reader/offers/offer-reader.ts";
import { toAvailability } from "../../format.ts";
import { toOfferFields } from "./offer-fields.ts";
import { omitEmpty } from "./omit-empty.ts";

/** Converts a variant to the item of an answer. */
export const toVariant = (product: number, shown: ShownVariant): object => {
  const { sku, gtin, mpn, condition, options, images, specifications } = shown.variant;
  return {
    ...toVariantSummary(product, shown),
    ...omitEmpty({
      sku,
      gtin,
      mpn,
      condition,
      options,
      images: images?.map(({ url, alt }) => ({ url, alt: alt ?? null })),
      specifications: specifications?.map(({ name, value }) => ({ name, value })),
    }),
    ...toOfferFields(shown.offer),
  };
};

/** Converts a variant to its id, title, price and availability. */
export const toVariantSummary = (
  product: number,
  { variant, title, url, offer }: ShownVariant,
) => ({
  id: `${product}.${variant.id}`,
  title,
  url,
  price: offer.price,
  availability: toAvailability(offer.stock.orderable),
});
