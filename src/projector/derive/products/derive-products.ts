import { deepEqual } from "../../../../projections/field-group.ts";
import {
  buildProductDocument,
  type ProductRows,
} from "../../../../projections/product-document.ts";
import type { ProductDocument } from "../../../read-model/schema/documents.ts";
import type { CoreRow, ProductCore } from "../../../read-model/schema/rows.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import type { UnitOfWork } from "../../unit-of-work/unit-of-work.ts";
import type { Counters } from "../counters.ts";
import { readIndexSettings } from "../index-settings.ts";
import { buildProductListDates, updateListDates } from "../list-dates.ts";
import { openSearchIndex } from "../search-index.ts";
import { rebuildNameIndex, updatePriceIndex, updateSortIndexes } from "../sort-indexes.ts";
import { updateOrphan } from "./orphans.ts";
import {
  categoryIdsOf,
  namedTimes,
  openProductCategories,
  readVisibleProducts,
} from "./product-categories.ts";
import { updateDocument, updateEdges, updateProductAddresses } from "./product-documents.ts";
import { openProductFilters } from "./product-filters.ts";
import { updateFragments } from "./product-fragments.ts";
import { openProductRows } from "./product-rows.ts";
import {
  buildVariantDocuments,
  noVariants,
  readVariantDocuments,
  updateVariantDocuments,
  type VariantDocuments,
} from "./product-variants.ts";
import {
  findRestatedProducts,
  findStatedProducts,
  findTouchedProducts,
  readProductsOfSettings,
} from "./touched-products.ts";
import type { VisibleProduct } from "./visible-product.ts";

type MaybeDocument = ProductDocument | undefined;

/**
 * Derives the documents of every product that a batch changed, and all that depends on them.
 * @param renamed categories that pages of their products now name differently
 * @param onMoved is called when a product or variant has other addresses
 * @returns categories whose page may have changed by their products
 */
export const deriveProducts = (
  batch: UnitOfWork,
  stored: WritableTables,
  counters: Counters,
  renamed: ReadonlySet<number>,
  onMoved: () => void,
): ReadonlySet<number> => {
  const settings = readIndexSettings(batch);
  const ofSettings = readProductsOfSettings(stored, settings);
  const touched = new Set([
    ...findTouchedProducts(batch),
    ...readVisibleProducts(stored, renamed),
    ...ofSettings,
  ]);
  const product = openProductUpdates(batch, stored, counters, ofSettings, onMoved);
  // Sorted by key, so that each page of LMDB is visited once.
  for (const id of [...touched].sort((one, other) => one - other)) product.update(id);
  const changed = product.flush();
  const { before, after } = settings;
  if (before.language !== after.language) rebuildNameIndex(stored, after.language);
  if (before.currency !== after.currency) updatePriceIndex(stored, settings);
  return changed;
};

interface ProductUpdates {
  update(id: number): void;
  /** Writes what was collected. @returns categories whose page may have changed */
  flush(): ReadonlySet<number>;
}

const openProductUpdates = (
  batch: UnitOfWork,
  stored: WritableTables,
  counters: Counters,
  ofSettings: Iterable<number>,
  onMoved: () => void,
): ProductUpdates => {
  const settings = readIndexSettings(batch);
  const searchIndex = openSearchIndex(stored, counters, settings);
  const filters = openProductFilters(stored, settings);
  const categories = openProductCategories(batch, stored);
  const summaryChangedAt = namedTimes(stored);
  const changed = new Set<number>();
  const readRows = openProductRows(batch, stored);
  const stated = new Set([...findStatedProducts(batch), ...ofSettings]);
  const restated = findRestatedProducts(batch);
  const updateIndexes = (change: ProductUpdate): void => {
    const { id, before, after, rows, variants } = change;
    const coreBefore = batch.productCores.original(id);
    filters.update({ ...change, coreBefore: contentOf(coreBefore) });
    searchIndex.update(
      id,
      toVisible(before, coreBefore, restated.has(id) ? variants?.before : undefined),
      toVisible(after, rows.core, restated.has(id) ? variants?.after : undefined),
    );
    if (deepEqual(before, after)) return;
    for (const category of categoryIdsOf(rows.core)) changed.add(category);
    updateEdges(stored, id, before, after);
    updateDocument(stored, counters, id, before, after);
    updateSortIndexes(stored, id, before, after, settings.before);
  };
  return {
    update(id) {
      const rows = readRows(id);
      const before = stored.get(tables.products, id);
      const context = { ...settings.after, summaryChangedAt: summaryChangedAt(rows.core) };
      const after = buildProductDocument(id, rows, context);
      // Stock changes neither facts nor variants.
      const variants = stated.has(id) ? updateVariants(stored, id, rows, before, after) : undefined;
      if (variants?.isMoved) onMoved();
      for (const category of updateDates(batch, stored, id)) changed.add(category);
      counters.add("orphans", updateOrphan(batch, stored, id));
      updateFragments(batch, stored, id, after);
      categories.update(id, before, after);
      updateIndexes({ id, before, after, rows, variants });
    },
    flush() {
      searchIndex.flush();
      filters.flush();
      // An event that adds or removes a product may be no newer than its last move there.
      for (const category of categories.flush(counters)) changed.add(category);
      return changed;
    },
  };
};

/** A product before and after a batch. */
interface ProductUpdate {
  readonly id: number;
  readonly before: MaybeDocument;
  readonly after: MaybeDocument;
  readonly rows: ProductRows;
  readonly variants: ReturnType<typeof updateVariants> | undefined;
}

const contentOf = (core: CoreRow | undefined): ProductCore | undefined =>
  core?.group?.content ?? undefined;

const updateDates = (batch: UnitOfWork, stored: WritableTables, id: number): readonly number[] =>
  batch.productCores.changedKeys().has(id)
    ? updateListDates(
        stored,
        id,
        buildProductListDates(batch.productCores.original(id)),
        buildProductListDates(batch.productCores.get(id)),
      )
    : [];

/** Replaces the facts and variants of a product. */
const updateVariants = (
  stored: WritableTables,
  id: number,
  rows: ProductRows,
  documentBefore: MaybeDocument,
  document: MaybeDocument,
) => {
  const before = readVariantDocuments(stored, id);
  const after = document ? buildVariantDocuments(rows) : noVariants;
  updateVariantDocuments(stored, id, before, after);
  const [previous, current] = [before.variants, after.variants];
  const isMoved = updateProductAddresses(
    stored,
    id,
    [documentBefore, previous],
    [document, current],
  );
  return { before, after, isMoved };
};

const toVisible = (
  product: MaybeDocument,
  core: CoreRow | undefined,
  variants: VariantDocuments | undefined,
): VisibleProduct | undefined => {
  const content = contentOf(core);
  if (!product || !content) return undefined;
  return { product, core: content, variants: variants?.variants };
};
