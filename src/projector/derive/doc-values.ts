import { toComparablePrice } from "../../read-model/reader/sort-keys.ts";
import type { ProductDocument } from "../../read-model/schema/documents.ts";
import { tables } from "../../read-model/schema/tables.ts";
import {
  type DocValues,
  encodeDocValues,
  isDocValuesBlockStart,
  toMicroUnits,
} from "../../read-model/search/doc-values/doc-values.ts";
import { decodeDocValues } from "../../read-model/search/doc-values/doc-values-block.ts";
import { firstBlock, seekBlock } from "../../read-model/search/postings/block-boundary.ts";
import { brandHash } from "../../read-model/search/postings/list-keys.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import { arrayBlockFormat, type BlockStore, rewriteBlocks } from "./block-rewrite.ts";
import type { VisibleProduct } from "./products/visible-product.ts";

/** Doc values of a product that a batch changed; undefined when it is not visible any more. */
export type DocValuesChange = readonly [id: number, fact: DocValues | undefined];

export const toDocValues = (
  visible: VisibleProduct | undefined,
  currency: string | undefined,
): DocValues | undefined =>
  visible && {
    id: visible.product.id,
    price: getComparablePrice(visible.product, currency),
    brand: visible.product.brand === null ? 0 : brandHash(visible.product.brand),
    categoryIds: visible.core.categoryIds,
  };

/** @returns undefined also for a product whose prices over time are in the offer values */
const getComparablePrice = (
  { price, offers }: ProductDocument,
  currency: string | undefined,
): number | undefined => {
  if (offers) return undefined;
  const compared = toComparablePrice(price, currency);
  return compared === null ? undefined : toMicroUnits(compared.amount);
};

/** Rewrites the price of every product, because the shop's currency decides which prices are compared. */
export const rewriteDocValuePrices = (
  stored: WritableTables,
  currency: string | undefined,
): void => {
  for (const key of [...stored.keys(tables.docValues)]) {
    const docValues = decodeDocValues(stored.get(tables.docValues, key) as Buffer).map((fact) => {
      const product = stored.get(tables.products, fact.id);
      return product ? { ...fact, price: getComparablePrice(product, currency) } : fact;
    });
    stored.put(tables.docValues, key, encodeDocValues(docValues));
  }
};

/** Updates the doc values, block by block. */
export const updateDocValues = (
  stored: WritableTables,
  changes: readonly DocValuesChange[],
): void => {
  if (changes.length === 0) return;
  const ascending = [...changes].sort(([a], [b]) => a - b);
  rewriteBlocks(createDocValuesStore(stored), docValuesFormat, ascending);
};

const docValuesFormat = arrayBlockFormat<number, DocValues>(({ id }) => id, isDocValuesBlockStart);

const createDocValuesStore = (stored: WritableTables): BlockStore<number, readonly DocValues[]> => {
  const seek = (from: number): number => seekBlock(stored, tables.docValues, from);
  return {
    first: firstBlock,
    floor: seek,
    below: (key) => seek(key - 1),
    load(key) {
      const record = stored.get(tables.docValues, key);
      return record ? decodeDocValues(record) : [];
    },
    save: (key, docValues) => stored.put(tables.docValues, key, encodeDocValues(docValues)),
    remove: (key) => stored.remove(tables.docValues, key),
  };
};
