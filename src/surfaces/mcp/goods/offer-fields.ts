import type { QuantityRule, Sale } from "../../../events/goods.ts";
import type { Offer } from "../../../read-model/reader/offers/offer-reader.ts";
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
    stock_status: isPlainStatus(offer) ? null : offer.stock.status,
    quantity: offer.stock.quantity,
    availability_date: offer.stock.availabilityDate,
    quantity_rule: offer.quantityRule && toQuantityRule(offer.quantityRule),
  });

/** The members that a check of stock and price shows. */
export const toStockFields = (offer: Offer): object =>
  omitEmpty({
    list_price: offer.listPrice,
    discount_percent: offer.discountPercent,
    sale: offer.sale && toSale(offer.sale),
    stock_status: isPlainStatus(offer) ? null : offer.stock.status,
    quantity: offer.stock.quantity,
    availability_date: offer.stock.availabilityDate,
  });

/** Whether the status says no more than the availability does. */
export const isPlainStatus = ({ stock: { status } }: Offer): boolean =>
  status === "in_stock" || status === "out_of_stock";

const toSale = ({ price, from, to }: Sale): object =>
  omitEmpty({ price, starts_at: from, ends_at: to });

const toQuantityRule = ({ min, max, step }: QuantityRule): object =>
  omitEmpty({ min: min ?? 1, max, step: step ?? 1 });
