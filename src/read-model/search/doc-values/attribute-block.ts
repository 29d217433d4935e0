import {
  type AttributeValue,
  collectDistinct,
  type OptionValues,
  type ProductAttributes,
} from "../../schema/filter-values.ts";
import { type ByteReader, createByteReader, createByteWriter } from "../postings/varint.ts";

/**
 * Options and attributes of a block of products. Each distinct one is there once, so that a filter compares it once for all
 * products of the block.
 */
export interface AttributeBlock {
  /** Ascending product ids. */
  readonly ids: readonly number[];
  /** Distinct lists of options. */
  readonly optionLists: readonly (readonly OptionValues[])[];
  /** Index in `optionLists` of each product. */
  readonly optionsOf: readonly number[];
  /** Distinct attributes. */
  readonly values: readonly AttributeValue[];
  readonly attributes: IndexLists;
  /** Attributes and conditions that active variants state themselves. */
  readonly variantAttributes: IndexLists;
}

/** Indexes in the attributes of a block: those of product `row` go from `starts[row]` to before `starts[row + 1]`. */
export interface IndexLists {
  readonly indexes: readonly number[];
  readonly starts: readonly number[];
}

/** The distinct values of a block, stored as JSON. A list of options has their indexes. */
interface Dictionary {
  readonly options: readonly OptionValues[];
  readonly lists: readonly (readonly number[])[];
  readonly values: readonly AttributeValue[];
}

const writer = createByteWriter();

/** Encodes a block member by member, so that a reader decodes numbers alone for each product. */
export const encodeAttributes = (products: readonly ProductAttributes[]): Buffer => {
  const [options, values] = [collectDistinct<OptionValues>(), collectDistinct<AttributeValue>()];
  const lists = collectDistinct<readonly number[]>();
  const optionsOf = products.map((product) =>
    lists.indexOf(product.options.map((each) => options.indexOf(each))),
  );
  const indexes = [...products.map(({ attributes }) => attributes)]
    .concat(products.map(({ variantAttributes }) => variantAttributes))
    .map((own) => own.map((each) => values.indexOf(each)));
  const dictionary: Dictionary = { options: options.all, lists: lists.all, values: values.all };
  writer.text(JSON.stringify(dictionary));
  writer.integer(products.length);
  let last = 0;
  for (const { id } of products) {
    writer.integer(id - last);
    last = id;
  }
  for (const list of optionsOf) writer.integer(list);
  for (const own of indexes) {
    writer.integer(own.length);
    for (const index of own) writer.integer(index);
  }
  return writer.take();
};

/** Decodes a block into copies, so that other rows may be read while it is used. */
export const openAttributeBlock = (bytes: Buffer): AttributeBlock => {
  const reader = createByteReader(bytes);
  const { options, lists, values } = JSON.parse(reader.text()) as Dictionary;
  const count = reader.integer();
  let last = 0;
  const ids = readNumbers(reader, count).map((difference) => {
    last += difference;
    return last;
  });
  return {
    ids,
    optionLists: lists.map((list) => list.map((index) => options[index] as OptionValues)),
    optionsOf: readNumbers(reader, count),
    values,
    attributes: readLists(reader, count),
    variantAttributes: readLists(reader, count),
  };
};

const readNumbers = (reader: ByteReader, count: number): number[] => {
  const numbers: number[] = [];
  for (let left = count; left > 0; left -= 1) numbers.push(reader.integer());
  return numbers;
};

const readLists = (reader: ByteReader, count: number): IndexLists => {
  const [indexes, starts]: [number[], number[]] = [[], [0]];
  for (let row = 0; row < count; row += 1) {
    for (let left = reader.integer(); left > 0; left -= 1) indexes.push(reader.integer());
    starts.push(indexes.length);
  }
  return { indexes, starts };
};

export const decodeAttributes = (bytes: Buffer): ProductAttributes[] => {
  const { ids, optionLists, optionsOf, values, attributes, variantAttributes } =
    openAttributeBlock(bytes);
  const valuesOf = ({ indexes, starts }: IndexLists, row: number): readonly AttributeValue[] =>
    indexes.slice(starts[row], starts[row + 1]).map((index) => values[index] as AttributeValue);
  return ids.map((id, row) => ({
    id,
    options: optionLists[optionsOf[row] as number] ?? [],
    attributes: valuesOf(attributes, row),
    variantAttributes: valuesOf(variantAttributes, row),
  }));
};
