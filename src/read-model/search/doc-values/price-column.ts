import type { OfferStep, TimedPrices } from "../../schema/filter-values.ts";
import { type ByteReader, type ByteWriter, createByteReader } from "../postings/varint.ts";

/** Prices of a product, as filters, sorts and facets compare them. */
export interface ComparedPrices {
  /**
   * In units of 10^-6, the finest step of an amount, rounded above 2^53; undefined without a price in the shop's
   * currency, and where `timed` has the prices.
   */
  readonly price: number | undefined;
  /** Prices that change with time or depend on variants; absent for a product with one price. */
  readonly timed?: TimedPrices;
}

/** The prices of a block of products, by their rows. */
export interface PriceColumn {
  /** Price of a product with one price; NaN for another. */
  readonly amounts: Float64Array;
  readonly timed: ReadonlyMap<number, TimedPrices>;
  /** Returns the price of each product at an instant; NaN without one. */
  at(instant: number): Float64Array;
}

/** Codes of a price that is no even number of cents. An even number of cents is an odd code. */
const [noAmount, textAmount, timedPrices] = [0, 2, 4];

/** Prices are stored in cents where that is exact, as nearly always: half the bytes. */
const microUnitsPerCent = 10_000;

export const writePrices = (writer: ByteWriter, prices: readonly ComparedPrices[]): void => {
  for (const { price, timed } of prices) {
    if (timed) writeTimed(writer, timed);
    else writeAmount(writer, price ?? null);
  }
};

export const writeAmount = (writer: ByteWriter, amount: number | null): void => {
  if (amount === null) writer.integer(noAmount);
  else if (Number.isSafeInteger(amount) && amount % microUnitsPerCent === 0) {
    writer.integer((amount / microUnitsPerCent) * 2 + 1);
  } else {
    writer.integer(textAmount);
    writer.text(String(amount));
  }
};

const writeTimed = (writer: ByteWriter, { hasVariants, bounds, steps }: TimedPrices): void => {
  writer.integer(timedPrices);
  writer.byte(toBits(hasVariants, bounds !== null));
  for (const amount of bounds ?? []) writeAmount(writer, amount);
  writer.integer(steps.length);
  for (const [from, price, percent, onSale, isOrderable] of steps) {
    writer.integer(from);
    writeAmount(writer, price);
    writer.integer(percent);
    writer.byte(toBits(onSale, isOrderable));
  }
};

const toBits = (first: boolean, second: boolean): number => Number(first) + 2 * Number(second);

export const readPrices = (bytes: Buffer, count: number): PriceColumn => {
  const reader = createByteReader(bytes);
  const amounts = new Float64Array(count);
  const timed = new Map<number, TimedPrices>();
  for (let row = 0; row < count; row += 1) {
    const code = reader.integer();
    if (code === timedPrices) timed.set(row, readTimed(reader));
    amounts[row] = code === timedPrices ? Number.NaN : (toAmount(reader, code) ?? Number.NaN);
  }
  return {
    amounts,
    timed,
    at(instant) {
      if (timed.size === 0) return amounts;
      const current = amounts.slice();
      for (const [row, { steps }] of timed)
        current[row] = stepAt(steps, instant)?.[1] ?? Number.NaN;
      return current;
    },
  };
};

const toAmount = (reader: ByteReader, code: number): number | null => {
  if (code === noAmount) return null;
  return code === textAmount ? Number(reader.text()) : ((code - 1) / 2) * microUnitsPerCent;
};

const readTimed = (reader: ByteReader): TimedPrices => {
  const flags = reader.byte();
  const bounds = flags >> 1 ? ([readAmount(reader) ?? 0, readAmount(reader) ?? 0] as const) : null;
  const steps: OfferStep[] = [];
  for (let left = reader.integer(); left > 0; left -= 1) {
    const [from, price, percent] = [reader.integer(), readAmount(reader), reader.integer()];
    const bits = reader.byte();
    steps.push([from, price, percent, (bits & 1) === 1, bits >> 1 === 1]);
  }
  return { hasVariants: (flags & 1) === 1, bounds, steps };
};

export const readAmount = (reader: ByteReader): number | null => toAmount(reader, reader.integer());

/** Returns the step of an instant. */
export const stepAt = <S extends readonly [from: number, ...unknown[]]>(
  steps: readonly S[],
  instant: number,
): S | undefined => steps.findLast(([from]) => from <= instant) ?? steps[0];
