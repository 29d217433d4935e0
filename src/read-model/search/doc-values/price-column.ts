import { type ByteReader, type ByteWriter, createByteWriter } from "../postings/varint.ts";

/** Prices of a product over time. Amounts are in units of 10^-6, the finest step of an amount, rounded above 2^53. */
interface ComparedPrices {
  readonly hasVariants: boolean;
  /** Lowest and highest price of any variant at any instant. */
  readonly bounds: readonly [lowest: number, highest: number] | null;
  /** At least one, ascending. */
  readonly steps: readonly PriceStep[];
}

/** What a list shows of a price from an instant on. */
interface PriceStep {
  /** Milliseconds since 1970; 0 for the first step. */
  readonly from: number;
  /** Null without a price in the shop's currency. */
  readonly amount: number | null;
  /** Reduction in whole percent; 0 without one. */
  readonly percent: number;
  /** Whether the product, or a variant that its range counts, has a list price. */
  readonly onSale: boolean;
  /** Whether the range counts only variants that can be ordered; false without variants. */
  readonly isOrderable: boolean;
}

/** What is compared of the prices of a block of products at an instant, by their rows. Amounts are in units of 10^-6. */
export interface PricesAt {
  /** NaN without a price in the shop's currency. */
  readonly amounts: readonly number[];
  /** The `bounds` of `ComparedPrices` of a product with variants; NaN without any. */
  readonly lowest: readonly number[];
  readonly highest: readonly number[];
  /** Reductions in whole percent; 0 without one. */
  readonly percents: readonly number[];
  /** Bits of `priceFlags`. */
  readonly flags: readonly number[];
}

/** Members of `ComparedPrices`, and of its step of an instant. */
export const priceFlags = { hasVariants: 1, onSale: 2, isOrderable: 4 };

/** Codes of a price that is no even number of cents. An even number of cents is an odd code. */
const [noAmount, textAmount, timedPrices] = [0, 2, 4];

/** Prices are stored in cents where that is exact, as nearly always: half the bytes. */
const microUnitsPerCent = 10_000;

const writer = createByteWriter();

export const encodePrices = (prices: ComparedPrices): Buffer => {
  const { hasVariants, steps } = prices;
  const [first, second] = steps;
  if (hasVariants || second || first?.onSale) writeTimed(prices);
  else writeAmount(writer, first?.amount ?? null);
  return writer.take();
};

export const writeAmount = (to: ByteWriter, amount: number | null): void => {
  if (amount === null) to.integer(noAmount);
  else if (Number.isSafeInteger(amount) && amount % microUnitsPerCent === 0) {
    to.integer((amount / microUnitsPerCent) * 2 + 1);
  } else {
    to.integer(textAmount);
    to.text(String(amount));
  }
};

const writeTimed = ({ hasVariants, bounds, steps }: ComparedPrices): void => {
  writer.integer(timedPrices);
  writer.byte(toBits(hasVariants, bounds !== null));
  for (const amount of bounds ?? []) writeAmount(writer, amount);
  writer.integer(steps.length);
  for (const { from, amount, percent, onSale, isOrderable } of steps) {
    writer.integer(from);
    writeAmount(writer, amount);
    writer.integer(percent);
    writer.byte(toBits(onSale, isOrderable));
  }
};

const toBits = (first: boolean, second: boolean): number => Number(first) + 2 * Number(second);

export const readPricesAt = (reader: ByteReader, count: number, instant: number): PricesAt => {
  const fill = (value: number): number[] => Array<number>(count).fill(value);
  const [amounts, lowest, highest] = [fill(Number.NaN), fill(Number.NaN), fill(Number.NaN)];
  const columns = { amounts, lowest, highest, percents: fill(0), flags: fill(0) };
  for (let row = 0; row < count; row += 1) {
    // The length, which a reader needs that copies the prices.
    reader.integer();
    const code = reader.integer();
    if (code === timedPrices) readTimed(columns, row, reader, instant);
    else amounts[row] = toAmount(reader, code) ?? Number.NaN;
  }
  return columns;
};

type Columns = { readonly [K in keyof PricesAt]: number[] };

/** Reads the step of an instant: the last one that has begun, else the first. */
const readTimed = (columns: Columns, row: number, reader: ByteReader, instant: number): void => {
  const bits = reader.byte();
  if (bits >> 1 === 1) {
    columns.lowest[row] = readAmount(reader) ?? Number.NaN;
    columns.highest[row] = readAmount(reader) ?? Number.NaN;
  }
  const steps = reader.integer();
  for (let at = 0; at < steps; at += 1) {
    const from = reader.integer();
    const amount = readAmount(reader);
    const percent = reader.integer();
    const state = reader.byte();
    if (at > 0 && from > instant) continue;
    columns.amounts[row] = amount ?? Number.NaN;
    columns.percents[row] = percent;
    columns.flags[row] = (bits & 1) | (state << 1);
  }
};

const toAmount = (reader: ByteReader, code: number): number | null => {
  if (code === noAmount) return null;
  return code === textAmount ? Number(reader.text()) : ((code - 1) / 2) * microUnitsPerCent;
};

export const readAmount = (reader: ByteReader): number | null => toAmount(reader, reader.integer());
