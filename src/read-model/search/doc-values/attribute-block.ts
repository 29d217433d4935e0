import {
  type AttributeValue,
  collectDistinct,
  type OptionValues,
  type ProductAttributes,
} from "../../schema/filter-values.ts";
import { createByteReader, createByteWriter } from "../postings/varint.ts";
import { writeIds, writeLists } from "./doc-values.ts";
import { type OrdinalLists, readIds, readLists } from "./doc-values-block.ts";

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
  /** Ordinals in `values`, like those of `variantAttributes`. */
  readonly attributes: OrdinalLists;
  /** Attributes and conditions that active variants state themselves. */
  readonly variantAttributes: OrdinalLists;
}

/** The distinct values of a block, stored as JSON. A list of options has their indexes. */
interface Dictionary {
  readonly options: readonly OptionValues[];
  readonly lists: readonly (readonly number[])[];
  readonly values: readonly AttributeValue[];
}

const writer = createByteWriter();
const reader = createByteReader(Buffer.alloc(0));

/** Encodes a block member by member, so that a reader decodes numbers alone for each product. */
export const encodeAttributes = (products: readonly ProductAttributes[]): Buffer => {
  const [options, values] = [collectDistinct<OptionValues>(), collectDistinct<AttributeValue>()];
  const lists = collectDistinct<readonly number[]>();
  const optionsOf = products.map((product) =>
    lists.indexOf(product.options.map((each) => options.indexOf(each))),
  );
  const stated = products.map(({ attributes }) => attributes);
  const indexes = [...stated, ...products.map(({ variantAttributes }) => variantAttributes)].map(
    (own) => own.map((each) => values.indexOf(each)),
  );
  const dictionary: Dictionary = { options: options.all, lists: lists.all, values: values.all };
  writer.text(JSON.stringify(dictionary));
  writer.integer(products.length);
  writeIds(writer, products);
  for (const list of optionsOf) writer.integer(list);
  writeLists(writer, indexes.slice(0, products.length));
  writeLists(writer, indexes.slice(products.length));
  return writer.take();
};

/** Decodes a block into copies, so that other rows may be read while it is used. */
export const openAttributeBlock = (bytes: Buffer): AttributeBlock => {
  reader.open(bytes, 0);
  const { options, lists, values }: Dictionary = JSON.parse(reader.text());
  const count = reader.integer();
  return {
    ids: readIds(reader, count),
    optionLists: lists.map((list) => list.map((index) => options[index] as OptionValues)),
    optionsOf: reader.integers([], count),
    values,
    attributes: readLists(reader, count),
    variantAttributes: readLists(reader, count),
  };
};

export const decodeAttributes = (bytes: Buffer): ProductAttributes[] => {
  const { ids, optionLists, optionsOf, values, attributes, variantAttributes } =
    openAttributeBlock(bytes);
  const valuesOf = ({ ordinals, starts }: OrdinalLists, row: number): readonly AttributeValue[] =>
    ordinals.slice(starts[row], starts[row + 1]).map((index) => values[index] as AttributeValue);
  return ids.map((id, row) => ({
    id,
    options: optionLists[optionsOf[row] as number] ?? [],
    attributes: valuesOf(attributes, row),
    variantAttributes: valuesOf(variantAttributes, row),
  }));
};
