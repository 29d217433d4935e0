import { isBlockStart } from "./postings/block-boundary.ts";
import { createByteReader, createByteWriter } from "./postings/varint.ts";

/**
 * Values by which a visible product is filtered, sorted and counted. They are stored apart from its texts, so that
 * many are read at once.
 */
export interface DocValues {
  readonly id: number;
  /**
   * In units of 10^-6, the finest step of an amount, rounded above 2^53; undefined without a price in the shop's
   * currency.
   */
  readonly price: number | undefined;
  /** Brand hash; 0 without a brand. */
  readonly brand: number;
  readonly categoryIds: readonly number[];
}

/** Mean number of products in a block. */
const meanDocValuesBlockSize = 256;

export const isDocValuesBlockStart = (id: number): boolean =>
  isBlockStart(id, meanDocValuesBlockSize);

/** Converts an amount to units of 10^-6: `12.9` → 12900000 */
export const toMicroUnits = (amount: string): number => {
  const [integer = "", fraction = ""] = amount.split(".");
  return Number(integer + fraction.padEnd(6, "0").slice(0, 6));
};

const writer = createByteWriter();

/**
 * Encodes a block column by column, so that a reader decodes only the columns it needs. Each distinct brand and
 * category is written once, and its products refer to it by ordinal.
 */
export const encodeDocValues = (docValues: readonly DocValues[]): Buffer => {
  const brands = indexDistinct(docValues.map(({ brand }) => brand).filter((brand) => brand !== 0));
  const categories = indexDistinct(docValues.flatMap(({ categoryIds }) => categoryIds));
  const ids = encodeColumn(() => {
    let last = 0;
    for (const { id } of docValues) {
      writer.integer(id - last);
      last = id;
    }
  });
  const prices = encodeColumn(() => {
    for (const { price } of docValues) writePrice(price);
  });
  const brandColumn = encodeColumn(() => {
    writer.integer(brands.size);
    for (const brand of brands.keys()) writer.integer(brand);
    for (const { brand } of docValues)
      writer.integer(brand === 0 ? 0 : (brands.get(brand) ?? 0) + 1);
  });
  writer.integer(docValues.length);
  for (const column of [ids, prices, brandColumn]) {
    writer.integer(column.length);
    writer.bytes(column);
  }
  writer.integer(categories.size);
  for (const id of categories.keys()) writer.integer(id);
  for (const { categoryIds } of docValues) {
    writer.integer(categoryIds.length);
    for (const id of categoryIds) writer.integer(categories.get(id) ?? 0);
  }
  return writer.take();
};

const encodeColumn = (write: () => void): Buffer => {
  write();
  return writer.take();
};

/** Prices are stored in cents where that is exact, as nearly always: half the bytes. */
const microUnitsPerCent = 10_000;

const writePrice = (price: number | undefined): void => {
  if (price === undefined) writer.integer(0);
  else if (Number.isSafeInteger(price) && price % microUnitsPerCent === 0)
    writer.integer((price / microUnitsPerCent) * 2 + 1);
  else {
    writer.integer(2);
    writer.text(String(price));
  }
};

const indexDistinct = <T>(values: readonly T[]): ReadonlyMap<T, number> =>
  new Map([...new Set(values)].map((value, at) => [value, at]));

/**
 * Decodes an encoded block column by column. Invariant: the bytes stay unchanged until the last column is decoded.
 */
export interface DocValuesBlock {
  /** Ascending product ids. */
  readonly ids: Float64Array;
  /** Decodes the price of each product; NaN without a price. */
  prices(): Float64Array;
  /** Decodes the distinct brands, and for each product the ordinal of its brand, from 1; 0 without a brand. */
  brands(): { readonly values: readonly number[]; readonly ordinals: Uint16Array };
  /**
   * Decodes the distinct categories and the category ordinals of all products. The ordinals of product `row` go from
   * `starts[row]` to before `starts[row + 1]`.
   */
  categories(): {
    readonly values: readonly number[];
    readonly ordinals: readonly number[];
    readonly starts: Uint32Array;
  };
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
    brands() {
      const column = createByteReader(brandColumn);
      const values = readIntegers(column, column.integer());
      const ordinals = new Uint16Array(count);
      for (let at = 0; at < count; at += 1) ordinals[at] = column.integer();
      return { values, ordinals };
    },
    categories() {
      const column = createByteReader(categoryColumn);
      const values = readIntegers(column, column.integer());
      const ordinals: number[] = [];
      const starts = new Uint32Array(count + 1);
      for (let at = 0; at < count; at += 1) {
        for (let remaining = column.integer(); remaining > 0; remaining -= 1)
          ordinals.push(column.integer());
        starts[at + 1] = ordinals.length;
      }
      return { values, ordinals, starts };
    },
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

const readPrices = (column: Buffer, count: number): Float64Array => {
  const reader = createByteReader(column);
  const prices = new Float64Array(count);
  for (let at = 0; at < count; at += 1) {
    const encoded = reader.integer();
    if (encoded === 0) prices[at] = Number.NaN;
    else
      prices[at] = encoded === 2 ? Number(reader.text()) : ((encoded - 1) / 2) * microUnitsPerCent;
  }
  return prices;
};

/** Decodes all columns of a block. */
export const decodeDocValues = (bytes: Buffer): DocValues[] => {
  const block = openDocValuesBlock(bytes);
  const [prices, brands, categories] = [block.prices(), block.brands(), block.categories()];
  return Array.from(block.ids, (id, at) => ({
    id,
    price: Number.isNaN(prices[at]) ? undefined : (prices[at] as number),
    brand: brands.values[(brands.ordinals[at] as number) - 1] ?? 0,
    categoryIds: categories.ordinals
      .slice(categories.starts[at], categories.starts[at + 1])
      .map((ordinal) => categories.values[ordinal] as number),
  }));
};
