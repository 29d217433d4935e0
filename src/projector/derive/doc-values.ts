import { comparedPrice } from "../../read-model/reader/sort-keys.ts";
import type { ProductDocument } from "../../read-model/schema/documents.ts";
import { tables } from "../../read-model/schema/tables.ts";
import {
  decodeFacts,
  encodeFacts,
  type Fact,
  millionths,
  startsFacts,
} from "../../read-model/search/doc-values.ts";
import { firstRun } from "../../read-model/search/postings/block-boundary.ts";
import { brandNumber } from "../../read-model/search/postings/list-keys.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import { arrayRuns, type RunRows, rewriteRuns } from "./block-rewrite.ts";
import type { Visible } from "./visible-product.ts";

/** Doc values of a product that a batch changed; undefined when it is not visible any more. */
export type FactChange = readonly [id: number, fact: Fact | undefined];

export const factOf = (
  visible: Visible | undefined,
  currency: string | undefined,
): Fact | undefined =>
  visible && {
    id: visible.product.id,
    price: getComparablePrice(visible.product, currency),
    brand: visible.product.brand === null ? 0 : brandNumber(visible.product.brand),
    categoryIds: visible.core.categoryIds,
  };

const getComparablePrice = (
  { price }: ProductDocument,
  currency: string | undefined,
): number | undefined => {
  const compared = comparedPrice(price, currency);
  return compared === null ? undefined : millionths(compared.amount);
};

/** Rewrites the price of every product, because the shop's currency decides which prices are compared. */
export const repriceFacts = (stored: WritableTables, currency: string | undefined): void => {
  for (const key of [...stored.keys(tables.facts)]) {
    const docValues = decodeFacts(stored.get(tables.facts, key) as Buffer).map((fact) => {
      const product = stored.get(tables.products, fact.id);
      return product ? { ...fact, price: getComparablePrice(product, currency) } : fact;
    });
    stored.put(tables.facts, key, encodeFacts(docValues));
  }
};

/** Updates the doc values, block by block. */
export const keepFacts = (stored: WritableTables, changes: readonly FactChange[]): void => {
  if (changes.length === 0) return;
  const ascending = [...changes].sort(([a], [b]) => a - b);
  rewriteRuns(createBlockStore(stored), docValuesFormat, ascending);
};

const docValuesFormat = arrayRuns<number, Fact>(({ id }) => id, startsFacts);

const createBlockStore = (stored: WritableTables): RunRows<number, readonly Fact[]> => {
  const seek = (from: number): number => {
    for (const key of stored.keys(tables.facts, { start: from, reverse: true, limit: 1 })) {
      return key;
    }
    return firstRun;
  };
  return {
    first: firstRun,
    floor: seek,
    below: (key) => seek(key - 1),
    load(key) {
      const record = stored.get(tables.facts, key);
      return record ? decodeFacts(record) : [];
    },
    save: (key, docValues) => stored.put(tables.facts, key, encodeFacts(docValues)),
    remove: (key) => stored.remove(tables.facts, key),
  };
};
