import { createByteReader } from "../postings/varint.ts";
import type { DocValues } from "./doc-values.ts";
import { type ComparedPrices, type PriceColumn, readPrices } from "./price-column.ts";
import { readVariantColumn, type VariantColumn } from "./variant-column.ts";

/**
 * Decodes an encoded block column by column. Invariant: the bytes stay unchanged until the last column is decoded.
 */
export interface DocValuesBlock {
  /** Ascending product ids. */
  readonly ids: Float64Array;
  prices(): PriceColumn;
  brands(): BrandColumn;
  categories(): CategoryColumn;
  /** States of stock of each product (`toStatusBits`). */
  statuses(): Uint8Array;
  ratings(): RatingColumn;
  variants(): VariantColumn;
}

/** NaN without a value. */
interface RatingColumn {
  readonly stars: Float64Array;
  readonly released: Float64Array;
}

interface BrandColumn {
  readonly values: readonly number[];
  /** For each product the ordinal of its brand, from 1; 0 without a brand. */
  readonly ordinals: Uint16Array;
}

interface CategoryColumn extends OrdinalLists {
  readonly values: readonly number[];
}

export const openDocValuesBlock = (bytes: Buffer): DocValuesBlock => {
  const reader = createByteReader(bytes);
  const count = reader.integer();
  const column = () => reader.bytes(reader.integer());
  const [idColumn, priceColumn, brandColumn] = [column(), column(), column()];
  const [statusColumn, ratingColumn, variantColumn] = [column(), column(), column()];
  const categoryColumn = reader.rest();
  return {
    ids: readIds(createByteReader(idColumn), count),
    prices: () => readPrices(priceColumn, count),
    brands: () => readBrands(brandColumn, count),
    categories: () => readCategories(categoryColumn, count),
    statuses: () => statusColumn,
    ratings: () => readRatings(ratingColumn, count),
    variants: () => readVariantColumn(variantColumn, count),
  };
};

type BlockReader = ReturnType<typeof createByteReader>;

export const readIntegers = (reader: BlockReader, count: number): number[] => {
  const values: number[] = [];
  for (let remaining = count; remaining > 0; remaining -= 1) values.push(reader.integer());
  return values;
};

/** Reads ascending ids, which are stored as differences. */
export const readIds = (reader: BlockReader, count: number): Float64Array => {
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
  return { values, ...readLists(reader, count) };
};

/** Lists of ordinals: those of product `row` go from `starts[row]` to before `starts[row + 1]`. */
export interface OrdinalLists {
  readonly ordinals: readonly number[];
  readonly starts: Uint32Array;
}

export const readLists = (reader: BlockReader, count: number): OrdinalLists => {
  const ordinals: number[] = [];
  const starts = new Uint32Array(count + 1);
  for (let at = 0; at < count; at += 1) {
    for (let remaining = reader.integer(); remaining > 0; remaining -= 1)
      ordinals.push(reader.integer());
    starts[at + 1] = ordinals.length;
  }
  return { ordinals, starts };
};

const readRatings = (column: Buffer, count: number): RatingColumn => {
  const reader = createByteReader(column);
  const [stars, released] = [new Float64Array(count), new Float64Array(count)];
  for (let at = 0; at < count; at += 1) {
    stars[at] = readDecimal(reader);
    released[at] = readDecimal(reader);
  }
  return { stars, released };
};

const readDecimal = (reader: BlockReader): number => {
  const text = reader.text();
  return text === "" ? Number.NaN : Number(text);
};

export const decodeDocValues = (bytes: Buffer): DocValues[] => {
  const block = openDocValuesBlock(bytes);
  const [prices, brands, categories] = [block.prices(), block.brands(), block.categories()];
  const [statuses, { stars, released }, variants] = [
    block.statuses(),
    block.ratings(),
    block.variants(),
  ];
  return Array.from(block.ids, (id, at) => ({
    id,
    ...readCompared(prices, at),
    brand: brands.values[(brands.ordinals[at] as number) - 1] ?? 0,
    categoryIds: categories.ordinals
      .slice(categories.starts[at], categories.starts[at + 1])
      .map((ordinal) => categories.values[ordinal] as number),
    statuses: statuses[at] as number,
    ...copyVariants(variants, at),
    ...(!Number.isNaN(stars[at]) && { stars: stars[at] as number }),
    ...(!Number.isNaN(released[at]) && { released: released[at] as number }),
  }));
};

const copyVariants = ({ bytes, starts, lengths }: VariantColumn, row: number) => {
  const [start, length] = [starts[row] as number, lengths[row] as number];
  return length > 0 && { variants: Buffer.from(bytes.subarray(start, start + length)) };
};

const readCompared = ({ amounts, timed }: PriceColumn, row: number): ComparedPrices => {
  const [amount, prices] = [amounts[row], timed.get(row)];
  return {
    price: amount === undefined || Number.isNaN(amount) ? undefined : amount,
    ...(prices && { timed: prices }),
  };
};
