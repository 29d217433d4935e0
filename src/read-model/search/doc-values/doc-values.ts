import { type ByteWriter, createByteWriter } from "../postings/varint.ts";

/**
 * Values by which a visible product is filtered, sorted and counted. They are stored without its texts, so that many
 * are read at once.
 */
export interface DocValues {
  readonly id: number;
  /** What is compared of its prices (`encodePrices`). */
  readonly prices: Buffer;
  /** Brand hash; 0 without a brand. */
  readonly brand: number;
  readonly categoryIds: readonly number[];
  /** States of stock of its active variants, or its own without any (`toStatusBits`). */
  readonly statuses: number;
  /** Active variants (`encodeVariants`); undefined without any. */
  readonly variants: Buffer | undefined;
  /** Rating in stars, 5 at most. */
  readonly stars: number | undefined;
  /** Days since 1970. */
  readonly released: number | undefined;
}

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
  const writeColumns = [
    () => writeIds(writer, docValues),
    () => writeSlices(docValues.map(({ prices }) => prices)),
    writeBrands,
    writeStatuses,
    writeRatings,
    () => writeSlices(docValues.map(({ variants }) => variants)),
  ];
  const columns = writeColumns.map((write) => {
    write(docValues);
    return writer.take();
  });
  writer.integer(docValues.length);
  for (const column of columns) {
    writer.integer(column.length);
    writer.bytes(column);
  }
  writeCategories(docValues);
  return writer.take();
};

/** Writes ascending ids as differences. */
export const writeIds = (to: ByteWriter, rows: readonly { readonly id: number }[]): void => {
  let last = 0;
  for (const { id } of rows) {
    to.integer(id - last);
    last = id;
  }
};

const writeBrands = (docValues: readonly DocValues[]): void => {
  const brands = docValues.map(({ brand }) => brand).filter((brand) => brand !== 0);
  const ordinals = writeDistinct([brands]);
  for (const { brand } of docValues) {
    const ordinal = ordinals.get(brand);
    writer.integer(ordinal === undefined ? 0 : ordinal + 1);
  }
};

const writeStatuses = (docValues: readonly DocValues[]): void => {
  for (const { statuses } of docValues) writer.integer(statuses);
};

const writeRatings = (docValues: readonly DocValues[]): void => {
  for (const { stars = "", released = "" } of docValues) {
    writer.text(String(stars));
    writer.text(String(released));
  }
};

const writeSlices = (slices: readonly (Buffer | undefined)[]): void => {
  for (const slice of slices) {
    writer.integer(slice?.length ?? 0);
    if (slice) writer.bytes(slice);
  }
};

const writeCategories = (docValues: readonly DocValues[]): void => {
  const ordinals = writeDistinct(docValues.map(({ categoryIds }) => categoryIds));
  writeLists(
    writer,
    docValues.map(({ categoryIds }) => categoryIds.map((id) => ordinals.get(id) ?? 0)),
  );
};

/** Writes the length of each list, then all their ordinals. */
export const writeLists = (to: ByteWriter, lists: readonly (readonly number[])[]): void => {
  for (const { length } of lists) to.integer(length);
  for (const list of lists) for (const ordinal of list) to.integer(ordinal);
};

/** Writes each distinct value once, and returns its ordinal. */
const writeDistinct = (lists: readonly (readonly number[])[]): ReadonlyMap<number, number> => {
  const ordinals = new Map<number, number>();
  for (const values of lists)
    for (const value of values) if (!ordinals.has(value)) ordinals.set(value, ordinals.size);
  writer.integer(ordinals.size);
  for (const value of ordinals.keys()) writer.integer(value);
  return ordinals;
};
