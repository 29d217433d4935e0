import type { GoodsSettings, Measure, QuantityRule, Sale } from "../../../events/goods.ts";
import { quantityText } from "../../../offers/stock.ts";
import type {
  Offer,
  ProductOffer,
  ShownVariant,
} from "../../../read-model/reader/offers/offer-reader.ts";
import type { Specification } from "../../../read-model/schema/goods.ts";
import { formatAttribute } from "../../../text/attribute-value.ts";
import { formatPrice } from "../../format.ts";
import { isSpread, listPriceWord } from "../../markdown/goods/price-words.ts";

/** Formats a price with what it was before: `69.00 EUR (was 89.00 EUR, -22 %, until 2026-11-30T00:00:00+01:00)`. */
export const formatOffer = (offer: Offer, taxIncluded?: GoodsSettings["taxIncluded"]): string => {
  const unit = offer.unitPrice;
  const details = [
    offer.price && taxIncluded != null && (taxIncluded ? "incl. tax" : "excl. tax"),
    offer.listPrice && `${listPriceWord(offer)} ${formatPrice(offer.listPrice)}`,
    offer.priorPrice && `lowest price of the last 30 days ${formatPrice(offer.priorPrice)}`,
    offer.discountPercent !== null && `-${offer.discountPercent} %`,
    offer.sale?.to && `until ${offer.sale.to}`,
    unit && `${formatPrice(unit.price)} per ${toText(unit.base)}`,
    unit && `contents ${toText(unit.measure)}`,
  ].filter((detail) => typeof detail === "string");
  return `${formatPrice(offer.price)}${details.length > 0 ? ` (${details.join(", ")})` : ""}`;
};

/** Word before the price of a product that is the lowest of several. */
export const lowestWord = ({ range }: ProductOffer): string => (isSpread(range) ? "from " : "");

const toText = ({ value, unit }: Measure): string => `${value} ${unit}`;

export const formatUpcomingSale = ({ price, from, to }: Sale): string =>
  `Sale from ${from ?? "now"}${to ? ` to ${to}` : ""}: ${formatPrice(price)}`;

/** Formats a state of stock: `limited stock, 2 left`, `preorder, ships from 2027-01-15`. */
export const formatStock = ({ stock }: Offer): string => {
  const { status, orderable, availabilityDate } = stock;
  const details = [
    status === "discontinued" && orderable
      ? "last pieces, discontinued"
      : status.replaceAll("_", " "),
    quantityText(stock),
    availabilityDate === null ? undefined : `ships from ${availabilityDate}`,
  ];
  return details.filter(Boolean).join(", ");
};

export const formatQuantityRule = ({ min, max, step }: QuantityRule): string =>
  [
    `Order at least ${min ?? 1}`,
    (step ?? 1) > 1 ? `in steps of ${step}` : undefined,
    max == null ? undefined : `at most ${max}`,
  ]
    .filter(Boolean)
    .join(", ");

/** Formats a variant on one line with its own facts: `- 4711.90001 Red / S: 89.00 EUR, in stock, SKU JACKET-RED-S, condition: used`. */
export const formatVariant = (
  product: number,
  { variant, title, url, offer }: ShownVariant,
): string => {
  const { name, sku, gtin, mpn, condition, options, quantityRule, specifications } = variant;
  return [
    `- ${product}.${variant.id} ${title}: ${formatOffer(offer)}`,
    formatStock(offer),
    sku && `SKU ${sku}`,
    gtin && `GTIN ${gtin}`,
    mpn && `MPN ${mpn}`,
    condition && `condition: ${condition}`,
    quantityRule && formatQuantityRule(quantityRule),
    ...offer.upcomingSales.map(formatUpcomingSale),
    ...(name === undefined ? [] : options.map((option) => `${option.name}: ${option.value}`)),
    ...(specifications ?? []).map(formatSpecification),
    variant.url && url,
  ]
    .filter(Boolean)
    .join(", ");
};

/** Formats a specification with its heading and its unit: `Width (packaging): 40 cm`. */
export const formatSpecification = ({ name, value, typed }: Specification): string =>
  `${name}${typed?.group ? ` (${typed.group})` : ""}: ${formatAttribute(value, typed)}`;
