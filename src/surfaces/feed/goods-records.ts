import type { UnitPricing } from "../../events/product-facts.ts";
import type { Offer } from "../../read-model/reader/offer.ts";
import type { Product } from "../../read-model/reader/product.ts";
import type { ShownVariant } from "../../read-model/reader/variants.ts";
import { variantLineId } from "../../read-model/schema/lines.ts";
import type { Image, Specification } from "../../read-model/schema/product-parts.ts";
import { omitEmpty, toQuantityRule, toSale, toStateFields } from "../mcp/offer-answer.ts";
import { toFactFields, toOption } from "../mcp/product-answer.ts";

/** What a line tells. */
export type LineRecord = Readonly<Record<string, unknown>>;

/** Converts what prices, stock and time do not change of a product. */
export const toProductRecord = ({ id, text, description, variants }: Product): LineRecord => {
  const { name, url, reference, gtin, brand, categoryIds, facts } = text;
  const { related: _, ...stated } = facts;
  return omitEmpty(
    { name, url, description, reference, gtin, brand },
    {
      category_ids: categoryIds.map(String),
      specifications: text.specifications.map(toSpecification),
      images: text.images.map(toImage),
      options: text.options.map(toOption),
      variants: variants?.ids.map((variant) => variantLineId(id, variant)),
    },
    toMeasureFields(facts),
    toFactFields(stated),
  );
};

/** Converts what a variant states itself. */
export const toVariantRecord = ({ title, url, variant }: ShownVariant): LineRecord => {
  const { sku, gtin, mpn, condition, options, images, specifications } = variant;
  return omitEmpty(
    { title, url, sku, gtin, mpn, condition, options },
    { images: images?.map(toImage), specifications: specifications?.map(toSpecification) },
    toMeasureFields(variant),
  );
};

/** Converts what an offer shows of prices; the price is null where there is none, or prices are hidden. */
export const toPriceRecord = (offer: Offer): LineRecord => ({
  price: offer.price,
  ...omitEmpty({
    list_price: offer.listPrice,
    list_price_kind: offer.listPriceKind,
    prior_price: offer.priorPrice,
    discount_percent: offer.discountPercent,
    sale: offer.sale && toSale(offer.sale),
    sales: offer.statedSales.map(toSale),
    price_range: offer.range,
  }),
});

export const toStockRecord = (offer: Offer): LineRecord =>
  omitEmpty({ availability: offer.availability, ...toStateFields(offer) });

interface Measures {
  readonly unitPricing?: UnitPricing | null | undefined;
  readonly quantityRule?: Parameters<typeof toQuantityRule>[0] | null | undefined;
}

const toMeasureFields = ({ unitPricing, quantityRule }: Measures) => ({
  unit_pricing: unitPricing,
  quantity_rule: quantityRule && toQuantityRule(quantityRule),
});

const toImage = ({ url, alt }: Image) => ({ url, alt: alt ?? null });

const toSpecification = ({ name, value }: Specification) => ({ name, value });
