import type { Money } from "../../../events/event.ts";
import type { Sale, StockAvailability } from "../../../events/product-facts.ts";
import { currencyDecimals } from "../../../offers/unit-price.ts";
import { type Members, readInteger, readText } from "../../members.ts";
import { toMoney } from "../../money.ts";
import { toUtcTime } from "../../times.ts";

/** An attribute of an item that cannot be used. */
export interface Fault {
  readonly attribute: string;
  readonly reason: string;
}

/** Attributes without which no item can be used. */
export const googleNeeded = ["id", "title", "link", "price"];

/** Lists the values of an attribute. */
export const readValues = (item: Members, name: string): readonly unknown[] => {
  const values = Object.hasOwn(item, name) ? item[name] : undefined;
  return Array.isArray(values) ? values : [];
};

/** Reads the first value of an attribute that is no blank text. */
export const readFirst = (item: Members, name: string): string | undefined =>
  readText(readValues(item, name).find((value) => readText(value) !== undefined));

interface ConnectionDefaults {
  readonly currency?: string | undefined;
  readonly timeZone?: string | undefined;
}

/** Reads price, stock and times of an item (Contract 10, Product data for Google). */
export const readOffer = (item: Members, defaults: ConnectionDefaults) => {
  const { currency, timeZone } = defaults;
  const missing = googleNeeded.find((name) => readFirst(item, name) === undefined);
  if (missing !== undefined) return toFault(missing, "is missing");
  const price = readPrice(item, "price", currency);
  if ("reason" in price) return price;
  const sales = readSales(item, price.currency, timeZone);
  if ("reason" in sales) return sales;
  const stock = readStock(item, timeZone);
  if ("reason" in stock) return stock;
  const end = readFirst(item, "expiration_date");
  const expiresAt = toUtcTime(end, timeZone);
  if (end !== undefined && !expiresAt) return toFault("expiration_date", `must be ${timeForm}`);
  return { price, sales, stock, expiresAt };
};

const toFault = (attribute: string, reason: string): Fault => ({ attribute, reason });

const timeForm = 'a time such as "2026-02-24T13:00-0800"; without an offset it needs "timeZone"';

const readStock = (item: Members, timeZone: string | undefined) => {
  const stated = readFirst(item, "availability") ?? "in stock";
  const availability = availabilities.get(stated.toLowerCase().replace(/[\s_-]+/g, "_"));
  if (!availability)
    return toFault("availability", `must be ${[...availabilities.keys()].join(", ")}`);
  const quantity = readFirst(item, "quantity") ?? readFirst(item, "sell_on_google_quantity");
  const date = readFirst(item, "availability_date");
  const time = isDay(date) ? undefined : toUtcTime(date, timeZone);
  return {
    ...{ quantity: readInteger(quantity) ?? null, availability },
    orderable: availability !== "out_of_stock",
    availabilityDate: time ?? date ?? null,
  };
};

const availabilities: ReadonlyMap<string, StockAvailability> = new Map([
  ["in_stock", "in_stock"],
  ["limited_availability", "limited_stock"],
  ["preorder", "preorder"],
  ["backorder", "backorder"],
  ["out_of_stock", "out_of_stock"],
]);

const isDay = (text: string | undefined): boolean => /^\d{4}-\d\d-\d\d$/.test(text ?? "");

/** A sale without a window always applies. */
const readSales = (
  item: Members,
  currency: string,
  timeZone: string | undefined,
): readonly Sale[] | Fault => {
  if (readFirst(item, "sale_price") === undefined) return [];
  const price = readPrice(item, "sale_price", currency);
  if ("reason" in price) return price;
  const [start, end, ...others] = (readFirst(item, window) ?? "").split("/");
  if (start === "" && end === undefined) return [{ price }];
  const [from, to] = [toUtcTime(start, timeZone), toEnd(end?.trim() ?? "", timeZone)];
  if (!from || !to || others.length > 0) return toFault(window, `must be two of "/": ${timeForm}`);
  return [{ price, from, to }];
};

const window = "sale_price_effective_date";

/** Reads an end, which is not in the window. A bare day and the last minute of a day are in it. */
const toEnd = (text: string, timeZone: string | undefined): string | undefined => {
  const end = isDay(text) ? `${text}T23:59` : text;
  const time = toUtcTime(end, timeZone);
  if (!time || !/^.{10}[T ]23:59/i.test(end)) return time;
  return new Date(Math.floor(Date.parse(time) / minuteMs + 1) * minuteMs).toISOString();
};

const minuteMs = 60_000;

/** @param currency of the connection, or of the price of a sale */
const readPrice = (
  item: Members,
  attribute: string,
  currency: string | undefined,
): Money | Fault => {
  const text = readFirst(item, attribute) ?? "";
  const [, before, number = "", after] = priceForm.exec(text.length > 60 ? "" : text) ?? [];
  const stated = (before ?? after)?.toUpperCase() ?? currency;
  if (stated === undefined) return toFault(attribute, 'lacks a currency, as in "15.00 EUR"');
  if (currency !== undefined && stated !== currency)
    return toFault(attribute, `must be in ${currency}, not in ${stated}`);
  if (isAmbiguous(number, stated))
    return toFault(attribute, `has either thousands or decimals: ${text}`);
  const { integer = "", fraction } =
    (plainForm.exec(number) ?? groupForm.exec(number))?.groups ?? {};
  const amount = integer.replace(/\D/g, "") + (fraction ? `.${fraction}` : "");
  const form = `must be an amount such as "15.00 EUR", not "${text.slice(0, 60)}"`;
  return toMoney(amount, stated) ?? toFault(attribute, form);
};

const priceForm = /^([A-Z]{3})?\s*(\d[\d.,'’\s]*)(?<!\s)\s*([A-Z]{3})?$/i;
const plainForm = /^(?<integer>\d+)(?:[.,](?<fraction>\d+))?$/;
const groupForm =
  /^(?<integer>\d{1,3}(?:([.,'’\s])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,](?<fraction>\d+))?$/;

/** Three digits behind a point are decimals of currencies that have three. */
const isAmbiguous = (number: string, currency: string): boolean =>
  /^[1-9]\d{0,2}[.,]\d{3}$/.test(number) &&
  !(number.includes(".") && currencyDecimals(currency) === 3);
