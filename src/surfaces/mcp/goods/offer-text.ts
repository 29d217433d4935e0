import type { GoodsSettings, QuantityRule, Sale } from "../../../events/goods.ts";
import { quantityText } from "../../../offers/stock.ts";
import type { Offer, ShownVariant } from "../../../read-model/reader/offers/offer-reader.ts";
import { formatPrice } from "../../format.ts";

/** Formats a price with what it was before: `69.00 EUR (was 89.00 EUR, -22 %, until 2026-11-30T00:00:00+01:00)`. */
export const formatOffer = (offer: Offer, taxIncluded?: GoodsSettings["taxIncluded"]): string => {
  const details = [
    offer.price && taxIncluded != null && (taxIncluded ? "incl. tax" : "excl. tax"),
    offer.listPrice && `${nameListPrice(offer)} ${formatPrice(offer.listPrice)}`,
    offer.priorPrice && `lowest price of the last 30 days ${formatPrice(offer.priorPrice)}`,
    offer.discountPercent !== null && `-${offer.discountPercent} %`,
    offer.sale?.to && `until ${offer.sale.to}`,
    offer.unitPrice &&
      `${formatPrice(offer.unitPrice.price)} per ${offer.unitPrice.base.value} ${offer.unitPrice.base.unit}`,
  ].filter((detail) => typeof detail === "string");
  return `${formatPrice(offer.price)}${details.length > 0 ? ` (${details.join(", ")})` : ""}`;
};

/** A list price is `was` only where it was charged. */
const nameListPrice = ({ listPriceKind }: Offer): string => {
  if (listPriceKind === null) return "list price";
  return listPriceKind === "recommended" ? "RRP" : "was";
};

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

/** Formats a variant on one line: `- 4711.90001 Red / S: 89.00 EUR, in stock, SKU JACKET-RED-S`. */
export const formatVariant = (product: number, { variant, title, offer }: ShownVariant): string =>
  [
    `- ${product}.${variant.id} ${title}: ${formatOffer(offer)}`,
    formatStock(offer),
    variant.sku && `SKU ${variant.sku}`,
  ]
    .filter(Boolean)
    .join(", ");
