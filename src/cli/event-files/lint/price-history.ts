import type { Money } from "../../../events/event.ts";
import { isLower } from "../../../offers/amounts.ts";
import { type PriceStatement, toMoney } from "./price-statements.ts";

/** The prices that the checked files have stated so far. Events count in the sequence of the files. */
export interface PriceHistory {
  /** Records the price of a statement. @returns what the files have stated with it */
  record(statement: PriceStatement): StatedSoFar;
}

export interface StatedSoFar {
  /** The price of the product or variant, or of the variant's product; null without one. */
  readonly price: Money | null;
  /** The highest price of the two. */
  readonly highest: Money | null;
  /** Undefined when there was no room for it, so that earlier prices may be missing. */
  readonly record: PriceRecord | undefined;
}

/** What is kept of a product, and of each variant with prices of its own: two amounts and a text. */
export interface PriceRecord {
  price: Money | null;
  /** Of the prices in the currency of the last one. */
  highest: Money | null;
  /** The list price that was warned of, so that a product that is sent again gives one warning. */
  warnedListPrice?: string;
}

/** Limits the memory to some 50 MB, because files may be of any size. */
const maxRecords = 200_000;

export const createPriceHistory = (): PriceHistory => {
  const records = new Map<string, PriceRecord>();
  return {
    record(statement) {
      const key = keyOf(statement);
      const record = records.get(key) ?? { price: null, highest: null };
      const hasRoom = records.size < maxRecords || records.has(key);
      if (hasRoom) records.set(key, record);
      record.price = statedPrice(statement, record.price);
      record.highest = higherOf(record.highest, record.price);
      const product = records.get(`${statement.productId}`);
      return {
        price: record.price ?? product?.price ?? null,
        highest: product ? higherOf(product.highest, record.highest) : record.highest,
        record: hasRoom ? record : undefined,
      };
    },
  };
};

const keyOf = ({ productId, variantId }: PriceStatement): string =>
  variantId === undefined ? `${productId}` : `${productId}.${variantId}`;

const statedPrice = ({ members, isPatch }: PriceStatement, stored: Money | null): Money | null => {
  const { price } = members;
  if (price === undefined) return isPatch ? stored : null;
  return (price && toMoney(price, stored)) ?? null;
};

/** Returns the higher price. Of two currencies, that of the second price. */
const higherOf = (one: Money | null, other: Money | null): Money | null =>
  one && (!other || isLower(other, one)) ? one : other;
