import { deepEqual } from "../../../../projections/field-group.ts";
import { toAttributeValue } from "../../../../projections/product-variants.ts";
import { toScaledRating, toStars } from "../../../offers/rating.ts";
import type { ProductAttributes } from "../../../read-model/schema/filter-values.ts";
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
  const { index } = product.variants ?? {};
  const { condition, rating, releaseDate } = facts;
  const scaled = toScaledRating(rating);
  const options = index?.options ?? [];
  const attributes = distinct(specifications.flatMap(toAttributeValue));
  const variantAttributes = distinct((index?.attributes?.distinct ?? []).flat());
  const values: ProductAttributes = {
    id,
    ...(options.length > 0 && { options }),
    ...(attributes.length > 0 && { attributes }),
    ...(variantAttributes.length > 0 && { variantAttributes }),
    ...(condition && { condition }),
    ...(scaled && { stars: toStars(scaled) }),
    ...(releaseDate && { released: toDays(releaseDate) }),
  };
  return Object.keys(values).length > 1 ? values : undefined;
};

const distinct = <V>(values: readonly V[]): readonly V[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

const dayMs = 24 * 60 * 60 * 1000;

const toDays = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs;

/** Mean number of products in a block: few, because a new value of a variant rewrites one. */
const meanBlockSize = 32;

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
