import type { StockAvailability } from "../../../events/product-facts.ts";
import { statusesByRank } from "../../../offers/stock.ts";
import type { VariantEntry } from "../../schema/documents.ts";
import { type ByteReader, createByteReader, createByteWriter } from "../postings/varint.ts";
import { readAmount, writeAmount } from "./price-column.ts";

/** What filters compare of the active variants of a product. */
export interface VariantValues {
  /** Distinct prices over time. */
  readonly prices: readonly (readonly VariantPrice[])[];
  /** Distinct stocks. */
  readonly stocks: readonly VariantStock[];
  /** Distinct lists of attributes that variants state themselves, as indexes in those of the product. */
  readonly attributes: readonly (readonly number[])[];
  /** In the order of the shop, with indexes in `prices` and `stocks`. */
  readonly entries: readonly VariantEntry[];
  /** Index in `attributes` of each entry; empty where no variant states any. */
  readonly attributesOf: readonly number[];
}

/** A price of variants from an instant on. */
export type VariantPrice = readonly [
  /** Milliseconds since 1970; 0 for the first one. */
  from: number,
  /** In units of 10^-6; null without a price in the shop's currency. */
  amount: number | null,
  isReduced: boolean,
];

interface VariantStock {
  readonly status: StockAvailability;
  readonly orderable: boolean;
}

/** Collects states of stock in one number. */
export const toStatusBits = (statuses: Iterable<StockAvailability>): number => {
  let bits = 0;
  for (const status of statuses) bits |= 1 << statusesByRank.indexOf(status);
  return bits;
};

const writer = createByteWriter();

export const encodeVariants = (values: VariantValues): Buffer => {
  const { prices, stocks, attributes, entries, attributesOf } = values;
  writeList(prices, (price) =>
    writeList(price, ([from, amount, isReduced]) => {
      writer.integer(from);
      writeAmount(writer, amount);
      writer.byte(Number(isReduced));
    }),
  );
  writeList(stocks, ({ status, orderable }) => {
    writer.byte(statusesByRank.indexOf(status));
    writer.byte(Number(orderable));
  });
  writeList(attributes, (own) => writeList(own, writer.integer));
  writer.integer(entries[0]?.length ?? 0);
  // An option that a variant leaves out is -1.
  writeList(entries, (entry) => {
    for (const value of entry) writer.integer(value + 1);
  });
  writeList(attributesOf, writer.integer);
  return writer.take();
};

const writeList = <T>(values: readonly T[], write: (value: T) => void): void => {
  writer.integer(values.length);
  for (const value of values) write(value);
};

export const decodeVariants = (bytes: Buffer): VariantValues => {
  const reader = createByteReader(bytes);
  const prices = readList(reader, () =>
    readList(reader, (): VariantPrice => {
      const from = reader.integer();
      return [from, readAmount(reader), reader.byte() === 1];
    }),
  );
  const stocks = readList(reader, (): VariantStock => {
    const status = statusesByRank[reader.byte()] ?? "out_of_stock";
    return { status, orderable: reader.byte() === 1 };
  });
  const attributes = readList(reader, () => readList(reader, reader.integer));
  const width = reader.integer();
  const entries = readList(reader, (): VariantEntry => {
    const [id, price, stock] = [readIndex(reader), readIndex(reader), readIndex(reader)];
    const values: [number, number, number, ...number[]] = [id, price, stock];
    for (let at = values.length; at < width; at += 1) values.push(readIndex(reader));
    return values;
  });
  return { prices, stocks, attributes, entries, attributesOf: readList(reader, reader.integer) };
};

const readIndex = (reader: ByteReader): number => reader.integer() - 1;

const readList = <T>(reader: ByteReader, read: () => T): readonly T[] => {
  const values: T[] = [];
  for (let left = reader.integer(); left > 0; left -= 1) values.push(read());
  return values;
};
