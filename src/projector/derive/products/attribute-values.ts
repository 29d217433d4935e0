import { deepEqual } from "../../../../projections/field-group.ts";
import { toAttributeValue } from "../../../../projections/product-variants.ts";
import {
  distinctValues,
  listVariantAttributes,
  type ProductAttributes,
} from "../../../read-model/schema/filter-values.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import {
  firstBlock,
  isBlockStart,
  seekBlock,
} from "../../../read-model/search/postings/block-boundary.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import { arrayBlockFormat, type BlockStore, rewriteBlocks } from "../block-rewrite.ts";
import type { VisibleProduct } from "./visible-product.ts";

/** Updates the options and attributes by which products are filtered, over one batch. */
export interface AttributeUpdates {
  update(id: number, before: VisibleProduct | undefined, after: VisibleProduct | undefined): void;
  flush(): void;
}

export const openAttributeUpdates = (stored: WritableTables): AttributeUpdates => {
  const changes: (readonly [id: number, values: ProductAttributes | undefined])[] = [];
  return {
    update(id, before, after) {
      if (before?.text === after?.text && before?.variants === after?.variants) return;
      const [previous, current] = [toProductAttributes(before), toProductAttributes(after)];
      if (!deepEqual(previous, current)) changes.push([id, current]);
    },
    flush() {
      if (changes.length === 0) return;
      const ascending = changes.sort(([a], [b]) => a - b);
      rewriteBlocks(createBlockStore(stored), blockFormat, ascending);
    },
  };
};

/** Builds what a product is filtered by in addition to its prices. @returns undefined for a product without any */
const toProductAttributes = (
  product: VisibleProduct | undefined,
): ProductAttributes | undefined => {
  if (!product) return undefined;
  const { id, facts, specifications } = product.text;
  const { index, attributes: stated } = product.variants ?? {};
  const { condition } = facts;
  const values: ProductAttributes = {
    id,
    options: index?.options ?? [],
    attributes: distinctValues(specifications.flatMap(toAttributeValue)),
    variantAttributes: listVariantAttributes(stated?.distinct),
    ...(condition && { condition }),
  };
  const { options, attributes, variantAttributes } = values;
  const isEmpty = options.length + attributes.length + variantAttributes.length === 0;
  return isEmpty && !condition ? undefined : values;
};

/** Mean number of products in a block: few, because a new value of a variant rewrites one. */
const meanBlockSize = 64;

const blockFormat = arrayBlockFormat<number, ProductAttributes>(
  ({ id }) => id,
  (id) => isBlockStart(id, meanBlockSize),
);

const createBlockStore = (
  stored: WritableTables,
): BlockStore<number, readonly ProductAttributes[]> => {
  const table = tables.attributeValues;
  const seek = (from: number): number => seekBlock(stored, table, from);
  return {
    first: firstBlock,
    floor: seek,
    below: (key) => seek(key - 1),
    load: (key) => stored.get(table, key) ?? [],
    save: (key, block) => stored.put(table, key, block),
    remove: (key) => stored.remove(table, key),
  };
};
