import { compareAmounts } from "../../../offers/amounts.ts";
import type { GoodsPolicy } from "../../../offers/policy.ts";
import type { Offer, ProductOffer } from "../../../read-model/reader/offers/offer-reader.ts";
import { escapeInline } from "../../../text/markdown/escape.ts";
import { formatPrice } from "../../format.ts";
import { hiddenPrice } from "../document.ts";
import { formatInstant } from "./dates.ts";

/** Formats whether prices include tax, for the end of a price; empty where the shop does not say. */
export const formatTax = ({ taxIncluded }: Pick<GoodsPolicy, "taxIncluded">): string => {
  if (taxIncluded === null) return "";
  return taxIncluded ? " incl. tax" : " excl. tax";
};

/**
 * Formats a price with what it was before and until when: `69.00 EUR, was 89.00 EUR (−22 %), until 30 Nov 2026, 00:00 (UTC)`.
 * @param tax text after the price itself
 */
export const formatOfferPrice = (
  offer: Offer,
  { timeZone }: Pick<GoodsPolicy, "timeZone">,
  tax = "",
): string => {
  if (!offer.price) return hiddenPrice;
  const end = offer.sale?.to;
  return [
    `${formatPrice(offer.price)}${tax}`,
    ...formatReduction(offer),
    ...(end ? [`until ${formatInstant(end, timeZone)}`] : []),
  ].join(", ");
};

/** Formats the list price by its kind. The percentage follows the price that it is computed from. */
const formatReduction = (offer: Offer): readonly string[] => {
  const { listPrice, priorPrice, discountPercent } = offer;
  if (!listPrice) return [];
  const percent = discountPercent === null ? "" : ` (−${discountPercent} %)`;
  const list = `${listPriceWord(offer)} ${formatPrice(listPrice)}`;
  if (!priorPrice) return [`${list}${percent}`];
  return [list, `lowest price of the last 30 days: ${formatPrice(priorPrice)}${percent}`];
};

/** Only a price that was charged may be called a `was` price. */
export const listPriceWord = ({ listPriceKind }: Offer): string => {
  switch (listPriceKind) {
    case "former":
      return "was";
    case "recommended":
      return "RRP";
    case null:
      return "list price";
  }
};

/** Formats the price of a product as lines of facts. With several prices, the lowest has a line where it is reduced. */
export const formatPriceLines = (offer: ProductOffer, policy: GoodsPolicy): readonly string[] => {
  const tax = formatTax(policy);
  const price = formatOfferPrice(offer, policy, tax);
  if (!offer.range || !isSpread(offer.range)) return [`- Price: ${price}`];
  const [min, max] = [offer.range.min, offer.range.max].map((each) => formatPrice(each));
  return [
    `- Price: from ${min} to ${max}${tax}`,
    ...(offer.listPrice ? [`- Lowest price: ${price}`] : []),
  ];
};

/** Whether a product has more than one price. */
export const isSpread = (range: ProductOffer["range"] | undefined): boolean =>
  range != null && compareAmounts(range.min.amount, range.max.amount) < 0;

/** Formats a unit price: `13.20 EUR per 1 l`. */
export const formatUnitPrice = ({ unitPrice }: Offer): string | undefined =>
  unitPrice
    ? `${formatPrice(unitPrice.price)} per ${escapeInline(`${unitPrice.base.value} ${unitPrice.base.unit}`)}`
    : undefined;

/** Formats the sales that begin later, where the shop shows them. */
export const formatUpcomingSales = (
  { upcomingSales }: Offer,
  { timeZone }: Pick<GoodsPolicy, "timeZone">,
): readonly string[] =>
  upcomingSales.map(({ price, from, to }) =>
    [
      formatPrice(price),
      ...(from ? [`from ${formatInstant(from, timeZone)}`] : []),
      ...(to ? [`until ${formatInstant(to, timeZone)}`] : []),
    ].join(" "),
  );
