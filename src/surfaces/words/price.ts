import { compareAmounts } from "../../offers/amounts.ts";
import type { OfferPolicy } from "../../offers/policy.ts";
import { memoize } from "../../platform/memo.ts";
import type { Offer } from "../../read-model/reader/offer.ts";
import { formatPrice } from "../format.ts";
import type { Style } from "./style.ts";

/** Keeps what is written of each offer of an answer, because most variants share theirs with another. */
export const perOffer = <T>(write: (offer: Offer) => T) =>
  memoize(
    (shown: { readonly offer: Offer }) => write(shown.offer),
    ({ offer }) => offer,
  );

/** Formats whether prices include tax, for the end of a price; empty where the shop does not say. */
export const formatTax = ({ taxIncluded }: Pick<OfferPolicy, "taxIncluded">): string => {
  if (taxIncluded === null) return "";
  return taxIncluded ? " incl. tax" : " excl. tax";
};

/**
 * Formats a price with what it was before and until when: `69.00 EUR, was 89.00 EUR (−22 %), until 30 Nov 2026, 00:00 (UTC)`.
 * @param tax text after the price itself
 */
export const formatOfferPrice = (offer: Offer, style: Style, tax = ""): string => {
  if (!offer.price) return style.hiddenPrice;
  const end = offer.sale?.to;
  return [
    `${formatPrice(offer.price)}${tax}`,
    ...formatReduction(offer),
    ...(end ? [`until ${style.time(end)}`] : []),
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
const listPriceWord = ({ listPriceKind }: Offer): string => {
  switch (listPriceKind) {
    case "former":
      return "was";
    case "recommended":
      return "RRP";
    case null:
      return "list price";
  }
};

/** Whether a product has more than one price. */
export const isSpread = (range: Offer["range"] | undefined): range is NonNullable<typeof range> =>
  range != null && compareAmounts(range.min.amount, range.max.amount) < 0;

/** Word before the price of a product that is the lowest of several. */
export const lowestWord = (range: Offer["range"] | undefined): string =>
  isSpread(range) ? "from " : "";

/** Formats the price of a product as lines. With several prices, the lowest has a line where it is reduced. */
export const priceLines = (offer: Offer, policy: OfferPolicy, style: Style): readonly string[] => {
  const tax = formatTax(policy);
  const price = formatOfferPrice(offer, style, tax);
  if (!isSpread(offer.range)) return [`Price: ${price}`];
  const { min, max } = offer.range;
  return [
    `Price: from ${formatPrice(min)} to ${formatPrice(max)}${tax}`,
    ...(offer.listPrice ? [`Lowest price: ${price}`] : []),
  ];
};

/** Formats a unit price: `13.20 EUR per 1 l`, `13.20 EUR per 1 l, contents 750 ml`. */
export const formatUnitPrice = ({ unitPrice }: Offer, style: Style): string | undefined => {
  if (!unitPrice) return undefined;
  const [base, measure] = [unitPrice.base, unitPrice.measure].map(({ value, unit }) =>
    style.text(`${value} ${unit}`),
  );
  const contents = style.showsContents ? `, contents ${measure}` : "";
  return `${formatPrice(unitPrice.price)} per ${base}${contents}`;
};

/** Formats the sales that begin later, where the shop shows them. */
export const formatUpcomingSales = (offer: Offer, style: Style): readonly string[] =>
  offer.upcomingSales.map(({ price, from, to }) =>
    [
      formatPrice(price),
      ...(from ? [`from ${style.time(from)}`] : []),
      ...(to ? [`until ${style.time(to)}`] : []),
    ].join(" "),
  );
