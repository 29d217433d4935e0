import { deepEqual } from "../../../platform/deep-equal.ts";
import type { ProductText } from "../../../read-model/schema/documents.ts";
import type { CoreRow } from "../../../read-model/schema/rows.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import type { UnitOfWork } from "../../unit-of-work/unit-of-work.ts";
import type { Derivation } from "../counters.ts";
import { buildProductListDates, updateListDates } from "../list-dates.ts";
import { openSearchIndex } from "../search-index.ts";
import { setMember } from "../set-diff.ts";
import { updateSortIndexes } from "../sort-indexes.ts";
import { openAttributeUpdates } from "./attribute-values.ts";
import { namedTimes, openProductCategories, readVisibleProducts } from "./product-categories.ts";
import { updateAddresses, updateDocuments } from "./product-documents.ts";
import {
  findChangedExceptOffers,
  findTouchedProducts,
  readProductsOfSettings,
  readReindexedProducts,
} from "./touched-products.ts";
import {
  buildText,
  buildVisibleProduct,
  openProductRows,
  type ProductRows,
  readVisibleProduct,
} from "./visible-product.ts";

/**
 * Derives what is stored of every product that a batch changed, and all that depends on it.
 * @param renamed categories that pages of their products now name differently
 * @returns categories whose page may have changed by their products, and whether a product or variant has other addresses
 */
export const deriveProducts = (
  derivation: Derivation,
  renamed: ReadonlySet<number>,
): { readonly categories: ReadonlySet<number>; readonly hasMoved: boolean } => {
  const { batch, stored, settings } = derivation;
  const restated = new Set([
    ...findChangedExceptOffers(batch),
    ...readVisibleProducts(stored, renamed),
  ]);
  const touched = new Set([
    ...findTouchedProducts(batch),
    ...restated,
    ...readProductsOfSettings(stored, settings),
  ]);
  const product = openProductUpdates(derivation, restated);
  // Sorted by key, so that each page of LMDB is visited once.
  for (const id of [...touched].sort((one, other) => one - other)) product.update(id);
  for (const id of readReindexedProducts(stored, settings))
    if (!touched.has(id)) product.reindex(id);
  return product.flush();
};

/** @param restated products of which a batch changed more than prices and stock */
const openProductUpdates = (
  { batch, stored, counters, settings }: Derivation,
  restated: ReadonlySet<number>,
) => {
  const searchIndex = openSearchIndex(batch, stored, counters, settings);
  const attributes = openAttributeUpdates(stored);
  const categories = openProductCategories(stored);
  const namedAt = namedTimes(stored);
  const changed = new Set<number>();
  let hasMoved = false;
  const readRows = openProductRows(batch, stored);
  const readText = (id: number, rows: ProductRows, before: ProductText | undefined) => {
    if (!restated.has(id)) return before;
    const text = buildText(id, rows, namedAt);
    return deepEqual(before, text) ? before : text;
  };
  return {
    update(id: number): void {
      const rows = readRows(id);
      const before = readVisibleProduct(stored, id);
      const text = readText(id, rows, before?.text);
      const after = buildVisibleProduct(text, rows, settings.after);
      for (const category of updateDates(batch, stored, id)) changed.add(category);
      counters.add("orphans", updateOrphan(batch, stored, id));
      // Settings may change what is compared of a product that is the same.
      searchIndex.update(id, before, after);
      updateSortIndexes(stored, id, before, after, settings);
      if (deepEqual(before, after)) return;
      if (restated.has(id)) hasMoved = updateAddresses(stored, id, [before, after]) || hasMoved;
      categories.update(id, before?.text, after?.text);
      attributes.update(id, before, after);
      updateDocuments(stored, counters, id, [before, after]);
      for (const category of text?.categoryIds ?? []) changed.add(category);
    },
    /** Indexes a product that is the same by other settings. */
    reindex(id: number): void {
      const visible = readVisibleProduct(stored, id);
      searchIndex.update(id, visible, visible);
      updateSortIndexes(stored, id, visible, visible, settings);
    },
    /** Writes what was collected. */
    flush() {
      searchIndex.flush();
      attributes.flush();
      // An event that adds or removes a product may be no newer than its last move there.
      for (const category of categories.flush(counters)) changed.add(category);
      return { categories: changed, hasMoved };
    },
  };
};

const updateDates = (
  { productCores }: UnitOfWork,
  stored: WritableTables,
  id: number,
): readonly number[] => {
  if (!productCores.changedKeys().has(id)) return [];
  const change = [productCores.original(id), productCores.get(id)] as const;
  return updateListDates(stored, id, change, buildProductListDates);
};

/**
 * Updates the set of orphans: stock and prices that arrived before their product wait, and are counted.
 * @returns change of their number
 */
const updateOrphan = (batch: UnitOfWork, stored: WritableTables, id: number): number => {
  const { productCores, stocks, prices } = batch;
  const isNow = isOrphan(productCores.get(id), stocks.get(id), prices.get(id));
  const wasBefore = isOrphan(productCores.original(id), stocks.original(id), prices.original(id));
  return isNow === wasBefore ? 0 : setMember(stored, tables.orphans, id, isNow);
};

const isOrphan = (core: CoreRow | undefined, ...others: readonly unknown[]): boolean =>
  core?.group == null && others.some((row) => row !== undefined);
