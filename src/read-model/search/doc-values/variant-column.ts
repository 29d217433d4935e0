import type { StockAvailability } from "../../../events/product-facts.ts";
import { statusesByRank } from "../../../offers/stock.ts";
import type { VariantEntry } from "../../schema/documents.ts";
import { createByteReader, createByteWriter } from "../postings/varint.ts";
import { readAmount, writeAmount } from "./price-column.ts";

/** What is written of the active variants of a product. */
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
  writer.integer(entries[0]?.length ?? 0);
  // An option that a variant leaves out is -1.
  writeList(entries, (entry) => {
    for (const value of entry) writer.integer(value + 1);
  });
  writeList(attributes, (own) => writeList(own, writer.integer));
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

/** What filters compare of the active variants of a product at an instant. Lists of numbers, because each product has its own. */
export interface VariantsAt {
  readonly count: number;
  /** Members of a `VariantEntry`. */
  readonly width: number;
  /** The members of each entry after those of the one before, in the order of the shop. */
  readonly entries: readonly number[];
  /** Of each price, in units of 10^-6; NaN without a price in the shop's currency. */
  readonly amounts: readonly number[];
  readonly isReduced: readonly boolean[];
  /** Of each stock (`toStatusBits`). */
  readonly statusBits: readonly number[];
  readonly isOrderable: readonly boolean[];
  /** See `VariantValues`. */
  readonly attributes: readonly (readonly number[])[];
  readonly attributesOf: readonly number[];
}

export const idOf = ({ entries, width }: VariantsAt, at: number): number =>
  entries[at * width] as number;

/** @returns undefined for a product without active variants */
export const decodeVariants = (
  { bytes, starts, lengths }: VariantColumn,
  row: number,
  instant: number,
): VariantsAt | undefined => {
  if (lengths[row] === 0) return undefined;
  reader.open(bytes, starts[row] as number);
  const [amounts, isReduced] = readPricesAt(instant);
  const [statusBits, isOrderable] = readStocks();
  const width = reader.integer();
  const count = reader.integer();
  const entries: number[] = [];
  for (let left = count * width; left > 0; left -= 1) entries.push(reader.integer() - 1);
  const attributes: (readonly number[])[] = [];
  for (let left = reader.integer(); left > 0; left -= 1) attributes.push(readIntegers());
  const attributesOf = readIntegers();
  // Members by name, because a spread is slow, and this runs for each product.
  return {
    count,
    width,
    entries,
    amounts,
    isReduced,
    statusBits,
    isOrderable,
    attributes,
    attributesOf,
  };
};

/** Reads the period of each price at an instant, as `stepAt` selects it, without a list for each price. */
const readPricesAt = (instant: number) => {
  const [amounts, isReduced]: [number[], boolean[]] = [[], []];
  for (let prices = reader.integer(); prices > 0; prices -= 1) {
    let [amount, reduced] = [Number.NaN, false];
    for (let left = reader.integer(), isFirst = true; left > 0; left -= 1, isFirst = false) {
      const from = reader.integer();
      const [price, flag] = [readAmount(reader), reader.byte()];
      if (isFirst || from <= instant) [amount, reduced] = [price ?? Number.NaN, flag === 1];
    }
    amounts.push(amount);
    isReduced.push(reduced);
  }
  return [amounts, isReduced] as const;
};

const readStocks = () => {
  const [statusBits, isOrderable]: [number[], boolean[]] = [[], []];
  for (let left = reader.integer(); left > 0; left -= 1) {
    statusBits.push(1 << reader.byte());
    isOrderable.push(reader.byte() === 1);
  }
  return [statusBits, isOrderable] as const;
};

const readIntegers = (): readonly number[] => {
  const values: number[] = [];
  for (let left = reader.integer(); left > 0; left -= 1) values.push(reader.integer());
  return values;
};
