import type { StockAvailability } from "../../../events/product-facts.ts";
import { statusesByRank } from "../../../offers/stock.ts";
import type { VariantEntry } from "../../schema/documents.ts";
import { createByteReader, createByteWriter } from "../postings/varint.ts";
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

const reader = createByteReader(Buffer.alloc(0));

/** The encoded active variants of a block of products: none has no bytes. */
export interface VariantColumn {
  readonly bytes: Buffer;
  /** Where those of each product begin in `bytes`. */
  readonly starts: Uint32Array;
  readonly lengths: Uint32Array;
}

export const readVariantColumn = (bytes: Buffer, count: number): VariantColumn => {
  const [starts, lengths] = [new Uint32Array(count), new Uint32Array(count)];
  reader.open(bytes, 0);
  for (let row = 0; row < count; row += 1) {
    const length = reader.integer();
    lengths[row] = length;
    starts[row] = reader.skip(length);
  }
  return { bytes, starts, lengths };
};

/** @returns undefined for a product without active variants */
export const decodeVariants = (
  { bytes, starts, lengths }: VariantColumn,
  row: number,
): VariantValues | undefined => {
  if (lengths[row] === 0) return undefined;
  reader.open(bytes, starts[row] as number);
  const prices = readList(readPrices);
  const stocks = readList(readStock);
  const attributes = readList(readIntegers);
  const width = reader.integer();
  const entries = readList(() => readEntry(width));
  return { prices, stocks, attributes, entries, attributesOf: readIntegers() };
};

const readPrice = (): VariantPrice => {
  const from = reader.integer();
  return [from, readAmount(reader), reader.byte() === 1];
};

const readPrices = (): readonly VariantPrice[] => readList(readPrice);

const readStock = (): VariantStock => {
  const status = statusesByRank[reader.byte()] ?? "out_of_stock";
  return { status, orderable: reader.byte() === 1 };
};

const readInteger = (): number => reader.integer();

const readIntegers = (): readonly number[] => readList(readInteger);

/** @param width number of its members */
const readEntry = (width: number): VariantEntry => {
  const [id, price, stock] = [readInteger() - 1, readInteger() - 1, readInteger() - 1];
  const entry: [number, number, number, ...number[]] = [id, price, stock];
  for (let at = entry.length; at < width; at += 1) entry.push(readInteger() - 1);
  return entry;
};

const readList = <T>(read: () => T): readonly T[] => {
  const values: T[] = [];
  for (let left = reader.integer(); left > 0; left -= 1) values.push(read());
  return values;
};
