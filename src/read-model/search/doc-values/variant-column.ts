import type { StockAvailability } from "../../../events/product-facts.ts";
import { statusesByRank } from "../../../offers/stock.ts";
import type { VariantEntry } from "../../schema/documents.ts";
import { createByteReader, createByteWriter } from "../postings/varint.ts";
import type { SliceColumn } from "./doc-values-block.ts";
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

const reader = createByteReader(Buffer.alloc(0));

/** What was decoded last. Its lists are used again for each product, because a search decodes those of all products. */
const decoded = {
  count: 0,
  width: 0,
  attributes: [] as (readonly number[])[],
  entries: [] as number[],
  amounts: [] as number[],
  isReduced: [] as boolean[],
  statusBits: [] as number[],
  isOrderable: [] as boolean[],
  attributesOf: [] as number[],
};

/**
 * Invariant: the result is used before the variants of another product are decoded.
 * @returns undefined for a product without active variants
 */
export const decodeVariants = (
  { bytes, starts, lengths }: SliceColumn,
  row: number,
  instant: number,
): VariantsAt | undefined => {
  if (lengths[row] === 0) return undefined;
  reader.open(bytes, starts[row] as number);
  readPricesAt(instant);
  readStocks();
  decoded.width = reader.integer();
  decoded.count = reader.integer();
  reader.integers(decoded.entries, decoded.count * decoded.width, 1);
  decoded.attributes = [];
  for (let left = reader.integer(); left > 0; left -= 1) {
    decoded.attributes.push(reader.integers([], reader.integer()));
  }
  reader.integers(decoded.attributesOf, reader.integer());
  return decoded;
};

/** Reads the period of each price at an instant: the last one that has begun, else the first. */
const readPricesAt = (instant: number): void => {
  const { amounts, isReduced } = decoded;
  const prices = reader.integer();
  for (let at = 0; at < prices; at += 1) {
    const periods = reader.integer();
    for (let period = 0; period < periods; period += 1) {
      const from = reader.integer();
      const amount = readAmount(reader) ?? Number.NaN;
      const reduced = reader.byte() === 1;
      if (period > 0 && from > instant) continue;
      amounts[at] = amount;
      isReduced[at] = reduced;
    }
  }
};

const readStocks = (): void => {
  const stocks = reader.integer();
  for (let at = 0; at < stocks; at += 1) {
    decoded.statusBits[at] = 1 << reader.byte();
    decoded.isOrderable[at] = reader.byte() === 1;
  }
};
