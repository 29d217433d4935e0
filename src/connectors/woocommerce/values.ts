import type { PriceMembers, Sale } from "../../events/product-facts.ts";
import { toEntityId } from "../ids.ts";
import { type Members, readInteger, readText } from "../members.ts";
import { toMoney } from "../money.ts";
import { toUtcTime } from "../times.ts";
import type { StockFacts, WooCommerceConnection } from "./state.ts";

export type PricedConnection = WooCommerceConnection & { readonly currency: string };

/** @returns undefined for anything but an integer from 1 on */
export const readId = (value: unknown): number | undefined => {
  const entity = toEntityId("product", value);
  return entity?.externalId === undefined ? entity?.id : undefined;
};

/** Reads a list, which may be an object with the items as its values. */
export const readList = (value: unknown): readonly unknown[] =>
  typeof value === "object" && value !== null ? Object.values(value) : [];

/** Reads a name. WordPress stores three characters of names as entities. */
export const readName = (value: unknown): string | undefined =>
  readText(value)?.replace(/&(amp|lt|gt);/g, (_, entity: keyof typeof marks) => marks[entity]);

const marks = { amp: "&", lt: "<", gt: ">" };

/** Reads a time that is UTC in the member with `_gmt`, and local in the other. */
export const readInstant = (body: Members, name: string, timeZone?: string): string | undefined =>
  toUtcTime(body[`${name}_gmt`], "+00:00") ?? toUtcTime(body[name], timeZone);

/** Reads the price before a sale, and the sale. `price` follows a clock, so it counts alone only. */
export const readPrices = (body: Members, connection: PricedConnection) => {
  const price = toMoney(body["price"], connection.currency);
  const regular = toMoney(body["regular_price"], connection.currency);
  const sales = regular && hasPrice(body) ? readSales(body, connection) : [];
  return {
    price: (hasPrice(body) ? (regular ?? price) : undefined) ?? null,
    sales,
  } satisfies PriceMembers;
};

export const hasPrice = ({ price }: Members): boolean =>
  price === undefined || readText(price) !== undefined;

/** A sale whose window cannot be read is left out. */
const readSales = (body: Members, { currency, timeZone }: PricedConnection): readonly Sale[] => {
  const price = toMoney(body["sale_price"], currency);
  const [from, last] = ["date_on_sale_from", "date_on_sale_to"].map((name) =>
    (readText(body[`${name}_gmt`]) ?? readText(body[name])) === undefined
      ? null
      : readInstant(body, name, timeZone),
  );
  if (!price || from === undefined || last === undefined) return [];
  // The last second is in the window.
  return [{ price, from, to: last && new Date(Date.parse(last) + 1000).toISOString() }];
};

export const readStock = (body: Members): StockFacts => {
  const isManaged = body["manage_stock"] === true;
  const quantity = isManaged ? (readInteger(body["stock_quantity"]) ?? null) : null;
  const status = readText(body["stock_status"]);
  if (status === "outofstock") return { quantity, orderable: false, availability: "out_of_stock" };
  const isSoldAtZero = body["backorders"] === "yes" || body["backorders"] === "notify";
  if (status === "onbackorder" || (quantity !== null && quantity <= 0 && isSoldAtZero))
    return { quantity, orderable: true, availability: "backorder" };
  // A quantity decides alone, so that the threshold of the shop can make it limited.
  return quantity === null ? { quantity, orderable: true, availability: "in_stock" } : { quantity };
};
