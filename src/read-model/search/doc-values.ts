import { startsRun } from "./postings/block-boundary.ts";
import { createWriter, readBytes } from "./postings/varint.ts";

/** What a visible product is filtered, sorted and counted by: kept apart from its texts, so that many are read at once. */
export interface Fact {
  readonly id: number;
  /** In units of 10^-6, the finest an amount may have, rounded past 2^53; undefined without a price in the shop's currency. */
  readonly price: number | undefined;
  /** Number of its brand; 0 without one. */
  readonly brand: number;
  readonly categoryIds: readonly number[];
}

/** Mean number of products in a run. */
const meanFacts = 256;

export const startsFacts = (id: number): boolean => startsRun(id, meanFacts);

/** `12.9` → 12900000 */
export const millionths = (amount: string): number => {
  const [whole = "", fraction = ""] = amount.split(".");
  return Number(whole + fraction.padEnd(6, "0").slice(0, 6));
};

const writer = createWriter();

/**
 * A run of facts, column by column, so that what is asked for is read and nothing else. Brands and categories
 * repeat, so each is written once and then named by its place.
 */
export const encodeFacts = (facts: readonly Fact[]): Buffer => {
  const brands = placesOf(facts.map(({ brand }) => brand).filter((brand) => brand !== 0));
  const categories = placesOf(facts.flatMap(({ categoryIds }) => categoryIds));
  const ids = written(() => {
    let last = 0;
    for (const { id } of facts) {
      writer.integer(id - last);
      last = id;
    }
  });
  const prices = written(() => {
    for (const { price } of facts) writePrice(price);
  });
  const branded = written(() => {
    writer.integer(brands.size);
    for (const brand of brands.keys()) writer.integer(brand);
    for (const { brand } of facts) writer.integer(brand === 0 ? 0 : (brands.get(brand) ?? 0) + 1);
  });
  writer.integer(facts.length);
  for (const column of [ids, prices, branded]) {
    writer.integer(column.length);
    writer.bytes(column);
  }
  writer.integer(categories.size);
  for (const id of categories.keys()) writer.integer(id);
  for (const { categoryIds } of facts) {
    writer.integer(categoryIds.length);
    for (const id of categoryIds) writer.integer(categories.get(id) ?? 0);
  }
  return writer.take();
};

const written = (write: () => void): Buffer => {
  write();
  return writer.take();
};

/** Cents where that is exact, as nearly always: half the bytes. */
const cent = 10_000;

const writePrice = (price: number | undefined): void => {
  if (price === undefined) writer.integer(0);
  else if (Number.isSafeInteger(price) && price % cent === 0)
    writer.integer((price / cent) * 2 + 1);
  else {
    writer.integer(2);
    writer.text(String(price));
  }
};

const placesOf = <T>(values: readonly T[]): ReadonlyMap<T, number> =>
  new Map([...new Set(values)].map((value, at) => [value, at]));

/** A run of facts as it is read; the bytes have to stay until it is. */
export interface FactRun {
  /** Ascending. */
  readonly ids: Float64Array;
  /** Of each product; NaN without a price. */
  prices(): Float64Array;
  /** Each brand there is, and of each product the place of its own, from 1; 0 without. */
  brands(): { readonly known: readonly number[]; readonly places: Uint16Array };
  /** Each category there is, the places of each product's own, one product after the other, and where its begin. */
  categories(): {
    readonly known: readonly number[];
    readonly places: readonly number[];
    readonly begins: Uint32Array;
  };
}

export const readFacts = (bytes: Buffer): FactRun => {
  const reader = readBytes(bytes);
  const count = reader.integer();
  const column = () => reader.bytes(reader.integer());
  const [idColumn, priceColumn, brandColumn] = [column(), column(), column()];
  const rest = reader.rest();
  return {
    ids: idsFrom(idColumn, count),
    prices: () => pricesFrom(priceColumn, count),
    brands() {
      const column = readBytes(brandColumn);
      const known = integers(column, column.integer());
      const places = new Uint16Array(count);
      for (let at = 0; at < count; at += 1) places[at] = column.integer();
      return { known, places };
    },
    categories() {
      const column = readBytes(rest);
      const known = integers(column, column.integer());
      const places: number[] = [];
      const begins = new Uint32Array(count + 1);
      for (let at = 0; at < count; at += 1) {
        for (let left = column.integer(); left > 0; left -= 1) places.push(column.integer());
        begins[at + 1] = places.length;
      }
      return { known, places, begins };
    },
  };
};

type Reader = ReturnType<typeof readBytes>;

const integers = (reader: Reader, count: number): number[] => {
  const all: number[] = [];
  for (let left = count; left > 0; left -= 1) all.push(reader.integer());
  return all;
};

const idsFrom = (column: Buffer, count: number): Float64Array => {
  const reader = readBytes(column);
  const ids = new Float64Array(count);
  let id = 0;
  for (let at = 0; at < count; at += 1) {
    id += reader.integer();
    ids[at] = id;
  }
  return ids;
};

const pricesFrom = (column: Buffer, count: number): Float64Array => {
  const reader = readBytes(column);
  const prices = new Float64Array(count);
  for (let at = 0; at < count; at += 1) {
    const told = reader.integer();
    if (told === 0) prices[at] = Number.NaN;
    else prices[at] = told === 2 ? Number(reader.text()) : ((told - 1) / 2) * cent;
  }
  return prices;
};

/** The facts of a run. */
export const decodeFacts = (bytes: Buffer): Fact[] => {
  const run = readFacts(bytes);
  const [prices, brands, categories] = [run.prices(), run.brands(), run.categories()];
  return Array.from(run.ids, (id, at) => ({
    id,
    price: Number.isNaN(prices[at]) ? undefined : (prices[at] as number),
    brand: brands.known[(brands.places[at] as number) - 1] ?? 0,
    categoryIds: categories.places
      .slice(categories.begins[at], categories.begins[at + 1])
      .map((place) => categories.known[place] as number),
  }));
};
