import { lazy } from "../../../platform/memo.ts";
import { type ByteReader, createByteReader } from "../postings/varint.ts";
import type { DocValues } from "./doc-values.ts";
import { type PricesAt, readPricesAt } from "./price-column.ts";

/**
 * A block at an instant. Its columns are decoded at the first use. Invariant: the bytes stay unchanged until the last column is decoded.
 */
export interface DocValuesBlock {
  readonly instant: number;
  /** Ascending product ids. */
  readonly ids: readonly number[];
  prices(): PricesAt;
  /** Prices at all instants (`encodePrices`). */
  encodedPrices(): SliceColumn;
  brands(): BrandColumn;
  categories(): CategoryColumn;
  /** States of stock of each product (`toStatusBits`). */
  statuses(): readonly number[];
  ratings(): RatingColumn;
  /** Active variants (`decodeVariants`). */
  variants(): SliceColumn;
}

/** Encoded values of a block of products, in the bytes of the block. */
export interface SliceColumn {
  readonly bytes: Buffer;
  /** Where those of each product begin in `bytes`. */
  readonly starts: readonly number[];
  /** 0 without a value. */
  readonly lengths: readonly number[];
}

/** NaN without a value. */
interface RatingColumn {
  readonly stars: readonly number[];
  readonly released: readonly number[];
}

interface BrandColumn {
  readonly values: readonly number[];
  /** For each product the ordinal of its brand, from 1; 0 without a brand. */
  readonly ordinals: readonly number[];
}

interface CategoryColumn extends OrdinalLists {
  readonly values: readonly number[];
}

/** Number of columns whose length is stored: all but the categories. */
const sizedColumns = 6;

/** One for all blocks, because creating a reader takes longer than reading a column. A column is read without a pause. */
const reader = createByteReader(Buffer.alloc(0));

export const openDocValuesBlock = (bytes: Buffer, instant: number): DocValuesBlock => {
  const { count, starts } = readStarts(bytes);
  const column = <T>(at: number, read: (from: ByteReader, count: number) => T): (() => T) =>
    lazy(() => {
      reader.open(bytes, starts[at] as number);
      return read(reader, count);
    });
  return {
    instant,
    ids: column(0, readIds)(),
    prices: column(1, (from) => readPricesAt(from, count, instant)),
    encodedPrices: column(1, (from) => readSlices(from, bytes, count)),
    brands: column(2, readBrands),
    statuses: column(3, (from) => from.integers([], count)),
    ratings: column(4, readRatings),
    variants: column(5, (from) => readSlices(from, bytes, count)),
    categories: column(sizedColumns, readCategories),
  };
};

const readStarts = (bytes: Buffer) => {
  reader.open(bytes, 0);
  const count = reader.integer();
  const starts: number[] = [];
  for (let column = 0; column < sizedColumns; column += 1) {
    const length = reader.integer();
    starts.push(reader.skip(length));
  }
  starts.push(reader.skip(0));
  return { count, starts };
};

/** Reads ascending ids, which are stored as differences. */
export const readIds = (from: ByteReader, count: number): readonly number[] => {
  const ids: number[] = [];
  let id = 0;
  for (let remaining = count; remaining > 0; remaining -= 1) {
    id += from.integer();
    ids.push(id);
  }
  return ids;
};

const readBrands = (from: ByteReader, count: number): BrandColumn => ({
  values: from.integers([], from.integer()),
  ordinals: from.integers([], count),
});

const readCategories = (from: ByteReader, count: number): CategoryColumn => {
  const values = from.integers([], from.integer());
  return { values, ...readLists(from, count) };
};

/** Lists of ordinals: those of product `row` go from `starts[row]` to before `starts[row + 1]`. */
export interface OrdinalLists {
  readonly ordinals: readonly number[];
  readonly starts: readonly number[];
}

export const readLists = (from: ByteReader, count: number): OrdinalLists => {
  const starts = [0];
  let end = 0;
  for (const length of from.integers([], count)) {
    end += length;
    starts.push(end);
  }
  return { ordinals: from.integers([], end), starts };
};

const readSlices = (from: ByteReader, bytes: Buffer, count: number): SliceColumn => {
  const [starts, lengths]: [number[], number[]] = [[], []];
  for (let row = 0; row < count; row += 1) {
    const length = from.integer();
    lengths.push(length);
    starts.push(from.skip(length));
  }
  return { bytes, starts, lengths };
};

const readRatings = (from: ByteReader, count: number): RatingColumn => {
  const [stars, released]: [number[], number[]] = [[], []];
  for (let at = 0; at < count; at += 1) {
    stars.push(readDecimal(from));
    released.push(readDecimal(from));
  }
  return { stars, released };
};

const readDecimal = (from: ByteReader): number => {
  const text = from.text();
  return text === "" ? Number.NaN : Number(text);
};

export const decodeDocValues = (stored: Buffer): DocValues[] => {
  // One copy of the block, because the slices of its products outlive the bytes of the store.
  const block = openDocValuesBlock(Buffer.from(stored), 0);
  const [brands, categories] = [block.brands(), block.categories()];
  const [prices, variants] = [block.encodedPrices(), block.variants()];
  const [statuses, { stars, released }] = [block.statuses(), block.ratings()];
  return block.ids.map((id, at) => ({
    id,
    prices: readSlice(prices, at),
    brand: brands.values[(brands.ordinals[at] as number) - 1] ?? 0,
    categoryIds: categories.ordinals
      .slice(categories.starts[at], categories.starts[at + 1])
      .map((ordinal) => categories.values[ordinal] as number),
    statuses: statuses[at] as number,
    variants: (variants.lengths[at] ?? 0) > 0 ? readSlice(variants, at) : undefined,
    stars: definedNumber(stars[at]),
    released: definedNumber(released[at]),
  }));
};

const readSlice = ({ bytes, starts, lengths }: SliceColumn, row: number): Buffer => {
  const start = starts[row] as number;
  return bytes.subarray(start, start + (lengths[row] as number));
};

const definedNumber = (value = Number.NaN): number | undefined =>
  Number.isNaN(value) ? undefined : value;
