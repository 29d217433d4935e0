import type { ProductFacts, QuantityRule, Sale } from "../../events/product-facts.ts";
import type { Offer } from "../../read-model/reader/offer.ts";
import type { NameIn } from "../product-members.ts";
import { factLine, formatWarning, minimumAgeLine } from "../words/facts.ts";
import { formatOfferPrice, formatUnitPrice, isSpread, lowestWord } from "../words/price.ts";
import { formatStock, isPlain } from "../words/stock.ts";
import { plain } from "../words/style.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Joins members, and omits those that are null or an empty list, because an answer of a tool has only what there is to say.
 * To spread the parts into one object would take V8 as long again.
 */
export const omitEmpty = (...parts: readonly Members[]): Members => {
  const kept: Record<string, unknown> = {};
  for (const members of parts) {
    for (const name of Object.keys(members)) {
      const value = members[name];
      if (value != null && !(Array.isArray(value) && value.length === 0)) kept[name] = value;
    }
  }
  return kept;
};

/** Converts what is shown of prices and stock to members of an answer, without the published ones. */
export const toOfferFields = (offer: Offer) =>
  ({
    list_price: offer.listPrice,
    list_price_kind: offer.listPriceKind,
    prior_price: offer.priorPrice,
    discount_percent: offer.discountPercent,
    sale: offer.sale && toSale(offer.sale),
    upcoming_sales: offer.upcomingSales.map(toSale),
    unit_price: offer.unitPrice,
    ...toStateFields(offer),
    quantity_rule: offer.quantityRule && toQuantityRule(offer.quantityRule),
    price_range: offer.range,
  }) satisfies Fields<Exclude<NameIn<"tool", "offer">, "price" | "availability">>;

/** Members of an answer. */
export type Fields<Name extends string> = { readonly [N in Name]: unknown } & Readonly<
  Record<string, unknown>
>;

/** The members that lists and checks show; the range of a product with more than one price. */
export const toListedOfferFields = (offer: Offer): Members =>
  omitEmpty({
    list_price: offer.listPrice,
    discount_percent: offer.discountPercent,
    sale: offer.sale && toSale(offer.sale),
    ...toStateFields(offer),
    price_range: isSpread(offer.range) ? offer.range : null,
  });

/** The members of the state of stock that say more than the availability does. */
export const toStateFields = ({ stock }: Offer) => ({
  stock_status: isPlain(stock) ? null : stock.status,
  quantity: stock.quantity,
  availability_date: stock.availabilityDate,
});

export const toSale = ({ price, from, to }: Sale): object =>
  omitEmpty({ price, starts_at: from, ends_at: to });

export const toQuantityRule = ({ min, max, step }: QuantityRule): object =>
  omitEmpty({ min: min ?? 1, max, step: step ?? 1 });

/** Converts what a buyer must see before an order to members of an answer. */
export const toNoticeFields = ({ minimumAge, warnings }: ProductFacts) => ({
  minimum_age: minimumAge,
  warnings: warnings?.map(({ imageUrl, ...warning }) => ({ ...warning, image_url: imageUrl })),
});

/** Formats what a buyer must see before an order, a line each. */
export const noticeLines = (facts: ProductFacts): readonly string[] => [
  ...minimumAgeLine(facts),
  ...warningLines(facts),
];

export const warningLines = ({ warnings }: ProductFacts): readonly string[] =>
  (warnings ?? []).flatMap((warning) => factLine("Warning", formatWarning(warning, plain)));

/** Formats the price of a variant, or of a product with the word before the lowest of several: `69.00 EUR, was 89.00 EUR (−22 %)`. */
export const formatOffer = (offer: Offer): string =>
  [`${lowestWord(offer.range)}${formatOfferPrice(offer, plain)}`, formatUnitPrice(offer, plain)]
    .filter(Boolean)
    .join(", ");

/** Formats the state of stock: `preorder, 17 available, ships from 2027-01-15`. */
export const formatState = ({ stock }: Offer): string => formatStock(stock, plain);
