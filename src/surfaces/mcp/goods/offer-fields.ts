import type { QuantityRule, Sale } from "../../../events/goods.ts";
import type { Offer, ProductOffer } from "../../../read-model/reader/offers/offer-reader.ts";
import { isSpread } from "../../markdown/goods/price-words.ts";
import { omitEmpty } from "./omit-empty.ts";

/** Converts what is shown of prices and stock to members of an answer. Members that say nothing are left out. */
export const toOfferFields = (offer: Offer): object =>
  omitEmpty({
    list_price: offer.listPrice,
    list_price_kind: offer.listPriceKind,
    prior_price: offer.priorPrice,
    discount_percent: offer.discountPercent,
    sale: offer.sale && toSale(offer.sale),
    upcoming_sales: offer.upcomingSales.map(toSale),
    unit_price: offer.unitPrice,
    ...toStateFields(offer),
    quantity_rule: offer.quantityRule && toQuantityRule(offer.quantityRule),
  });

/** The members that lists and checks show; the range of a product with more than one price. */
export const toStockFields = (offer: Offer & Partial<ProductOffer>): object =>
  omitEmpty({
    list_price: offer.listPrice,
    discount_percent: offer.discountPercent,
    sale: offer.sale && toSale(offer.sale),
    ...toStateFields(offer),
    price_range: isSpread(offer.range) ? offer.range : null,
  });

/** The members of the state of stock that say more than the availability does. */
export const toStateFields = ({ stock: { status, quantity, availabilityDate } }: Offer): object =>
  omitEmpty({
    stock_status: status === "in_stock" || status === "out_of_stock" ? null : status,
    quantity,
    availability_date: availabilityDate,
  });

const toSale = ({ price, from, to }: Sale): object =>
  omitEmpty({ price, starts_at: from, ends_at: to });

const toQuantityRule = ({ min, max, step }: QuantityRule): object =>
  omitEmpty({ min: min ?? 1, max, step: step ?? 1 });
