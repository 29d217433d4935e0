import { createByteReader } from "../postings/varint.ts";
import type { DocValues } from "./doc-values.ts";
import { type ComparedPrices, type PriceColumn, readPrices } from "./price-column.ts";

/**
 * Decodes an encoded block column by column. Invariant: the bytes stay unchanged until the last column is decoded.
 */
export interface DocValuesBlock {
  /** Ascending product ids. */
  readonly ids: Float64Array;
  prices(): PriceColumn;
  brands(): BrandColumn;
  categories(): CategoryColumn;
}

interface BrandColumn {
  readonly values: readonly number[];
  /** For each product the ordinal of its brand, from 1; 0 without a brand. */
  readonly ordinals: Uint16Array;
}

interface CategoryColumn {
  readonly values: readonly number[];
  /** Category ordinals of all products; those of product `row` go from `starts[row]` to before `starts[row + 1]`. */
  readonly ordinals: readonly number[];
  readonly starts: Uint32Array;
}

export const openDocValuesBlock = (bytes: Buffer): DocValuesBlock => {
  const reader = createByteReader(bytes);
  const count = reader.integer();
  const column = () => reader.bytes(reader.integer());
  const [idColumn, priceColumn, brandColumn] = [column(), column(), column()];
  const categoryColumn = reader.rest();
  return {
    ids: readIds(idColumn, count),
    prices: () => readPrices(priceColumn, count),
    brands: () => readBrands(brandColumn, count),
    categories: () => readCategories(categoryColumn, count),
  };
};

type BlockReader = ReturnType<typeof createByteReader>;

const readIntegers = (reader: BlockReader, count: number): number[] => {
  const values: number[] = [];
  for (let remaining = count; remaining > 0; remaining -= 1) values.push(reader.integer());
  return values;
};

const readIds = (column: Buffer, count: number): Float64Array => {
  const reader = createByteReader(column);
  const ids = new Float64Array(count);
  let id = 0;
  for (let at = 0; at < count; at += 1) {
    id += reader.integer();
    ids[at] = id;
  }
  return ids;
};

const readBrands = (column: Buffer, count: number): BrandColumn => {
  const reader = createByteReader(column);
  const values = readIntegers(reader, reader.integer());
  const ordinals = new Uint16Array(count);
  for (let at = 0; at < count; at += 1) ordinals[at] = reader.integer();
  return { values, ordinals };
};

const readCategories = (column: Buffer, count: number): CategoryColumn => {
  const reader = createByteReader(column);
  const values = readIntegers(reader, reader.integer());
  const ordinals: number[] = [];
  const starts = new Uint32Array(count + 1);
  for (let at = 0; at < count; at += 1) {
    for (let remaining = reader.integer(); remaining > 0; remaining -= 1)
      ordinals.push(reader.integer());
    starts[at + 1] = ordinals.length;
  }
  return { values, ordinals, starts };
};

export const decodeDocValues = (bytes: Buffer): DocValues[] => {
  const block = openDocValuesBlock(bytes);
  const [prices, brands, categories] = [block.prices(), block.brands(), block.categories()];
  return Array.from(block.ids, (id, at) => ({
    id,
    ...readCompared(prices, at),
    brand: brands.values[(brands.ordinals[at] as number) - 1] ?? 0,
    categoryIds: categories.ordinals
      .slice(categories.starts[at], categories.starts[at + 1])
      .map((ordinal) => categories.values[ordinal] as number),
  }));
};

const readCompared = ({ amounts, timed }: PriceColumn, row: number): ComparedPrices => {
  const [amount, prices] = [amounts[row], timed.get(row)];
  return {
    price: amount === undefined || Number.isNaN(amount) ? undefined : amount,
    ...(prices && { timed: prices }),
  };
};
