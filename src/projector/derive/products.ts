import type { ProductTable } from "../../../projections/entities.ts";
import { deepEqual } from "../../../projections/field-group.ts";
import { buildProductDocument, type ProductRows } from "../../../projections/product-document.ts";
import type { ProductDocument } from "../../read-model/schema/documents.ts";
import type { CoreRow, ProductCore } from "../../read-model/schema/rows.ts";
import { idUpperBound, type PageRecord, tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";
import type { Counters } from "./counters.ts";
import { updateProductAddresses } from "./goods/product-addresses.ts";
import { listEdges, updateEdges } from "./goods/product-edges.ts";
import { openProductFilters } from "./goods/product-filters.ts";
import { openProductRows, productsOfKeys } from "./goods/product-rows.ts";
import {
  buildVariantDocuments,
  noVariants,
  readVariantDocuments,
  updateVariantDocuments,
  type VariantDocuments,
} from "./goods/product-variants.ts";
import { changesOffers, readIndexSettings } from "./index-settings.ts";
import { buildProductListDates, updateListDates } from "./list-dates.ts";
import { countPage } from "./page-index.ts";
import { updateFragments } from "./product-fragments.ts";
import { openSearchIndex } from "./search-index.ts";
import { diffSets, setMember } from "./set-diff.ts";
import { rebuildNameIndex, updatePriceIndex, updateSortIndexes } from "./sort-indexes.ts";
import type { VisibleProduct } from "./visible-product.ts";

type MaybeDocument = ProductDocument | undefined;

/**
 * Derives the documents of every product that a batch changed, and all that depends on them.
 * @param renamed categories that pages of their products now name differently
 * @returns categories whose page may have changed by their products
 */
export const deriveProducts = (
  batch: UnitOfWork,
  stored: WritableTables,
  counters: Counters,
  renamed: ReadonlySet<number>,
): ReadonlySet<number> => {
  const settings = readIndexSettings(batch);
  const searchIndex = openSearchIndex(stored, counters, settings);
  const filters = openProductFilters(stored, settings);
  const countChanges = new Map<number, number>();
  const summaryChangedAt = namedTimes(stored);
  const changed = new Set<number>();
  const readRows = openProductRows(batch, stored);
  const withOffers = changesOffers(settings) ? [...readProductsWithOffers(stored)] : [];
  const stated = new Set([...findStatedProducts(batch), ...withOffers]);
  const restated = findRestatedProducts(batch);
  const deriveProduct = (id: number): void => {
    const rows = readRows(id);
    const before = stored.get(tables.products, id);
    const after = buildProductDocument(id, rows, {
      ...settings.after,
      summaryChangedAt: summaryChangedAt(rows.core),
    });
    // Stock changes neither facts nor variants.
    const variants = stated.has(id) ? updateVariants(stored, id, rows, before, after) : undefined;
    for (const category of updateDates(batch, stored, id)) changed.add(category);
    counters.add("orphans", updateOrphan(batch, stored, id));
    updateFragments(batch, stored, id, after);
    if (batch.productCores.changedKeys().has(id))
      updateCategories(batch, stored, countChanges, id, before, after);
    const coreBefore = batch.productCores.original(id);
    filters.update({ id, before, after, rows, variants, coreBefore: contentOf(coreBefore) });
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
  const touched = new Set([
    ...findTouchedProducts(batch),
    ...readVisibleProducts(stored, renamed),
    ...withOffers,
  ]);
  // Sorted by key, so that each page of LMDB is visited once.
  for (const id of [...touched].sort((one, other) => one - other)) deriveProduct(id);
  searchIndex.flush();
  filters.flush();
  for (const [category, delta] of countChanges) {
    // An event that adds or removes a product may be no newer than its last move there.
    changed.add(category);
    countProducts(stored, counters, category, delta);
  }
  const { before, after } = settings;
  if (before.language !== after.language) rebuildNameIndex(stored, after.language);
  if (before.currency !== after.currency) updatePriceIndex(stored, settings);
  return changed;
};

const contentOf = (core: CoreRow | undefined): ProductCore | undefined =>
  core?.group?.content ?? undefined;

const categoryIdsOf = (core: CoreRow | undefined): readonly number[] =>
  core?.group?.content?.categoryIds ?? [];

/** Stores the document of a product, and counts it; undefined while the product is not visible. */
const updateDocument = (
  stored: WritableTables,
  counters: Counters,
  id: number,
  before: MaybeDocument,
  after: MaybeDocument,
): void => {
  if (after) stored.put(tables.products, id, after);
  else stored.remove(tables.products, id);
  counters.add("products", Number(after !== undefined) - Number(before !== undefined));
  updateInStock(stored, counters, id, before, after);
  countPage(counters, "product", id, toPageRecord(before), toPageRecord(after));
};

const toPageRecord = (document: MaybeDocument): PageRecord | undefined =>
  document && {
    url: document.url,
    lastmod: document.lastmod,
    ...(document.offers && { edges: listEdges(document) }),
  };

/** Reads the visible products of some categories. */
function* readVisibleProducts(
  stored: WritableTables,
  categories: ReadonlySet<number>,
): Generator<number> {
  for (const category of categories) {
    const range = { start: [category, 0], end: [category, idUpperBound] } as const;
    // Reads the keys first, because the caller writes to the same environment.
    for (const [, id] of [...stored.keys(tables.categoryProducts, range)]) yield id;
  }
}

/** Creates a lookup of the date that a product page has from its category names. */
const namedTimes = (stored: WritableTables): ((row: CoreRow | undefined) => number) => {
  const timeById = new Map<number, number>();
  const readTime = (id: number): number => {
    const time = timeById.get(id) ?? stored.get(tables.categoryTimes, id)?.summary ?? 0;
    timeById.set(id, time);
    return time;
  };
  return (row) => categoryIdsOf(row).reduce((newest, id) => Math.max(newest, readTime(id)), 0);
};

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
  updateProductAddresses(stored, id, [documentBefore, before.variants], [document, after.variants]);
  return { before, after };
};

/** Reads the visible products whose prices depend on the time, on variants or on the settings. */
function* readProductsWithOffers(stored: WritableTables): Generator<number> {
  for (const id of [...stored.keys(tables.products)]) {
    if (stored.get(tables.products, id)?.offers) yield id;
  }
}

/** Finds the products whose visible data a batch may have changed. */
export const findTouchedProducts = (batch: UnitOfWork): ReadonlySet<number> =>
  new Set(Object.values(touchedProducts).flatMap((find) => [...find(batch)]));

/** Finds the products that a batch changed in more than their stock. */
const findStatedProducts = (batch: UnitOfWork): ReadonlySet<number> => {
  const { stocks: _, ...others } = touchedProducts;
  return new Set(Object.values(others).flatMap((find) => [...find(batch)]));
};

/** Finds the products that a batch changed in more than their prices and their stock. */
const findRestatedProducts = (batch: UnitOfWork): ReadonlySet<number> => {
  const { stocks: _, prices: __, ...others } = touchedProducts;
  return new Set(Object.values(others).flatMap((find) => [...find(batch)]));
};

/** Finds touched products by the table that changed. */
const touchedProducts: Readonly<Record<ProductTable, (batch: UnitOfWork) => Iterable<number>>> = {
  productCores: ({ productCores }) => productCores.changedKeys(),
  prices: ({ prices }) => productsOfKeys(prices.changedKeys()),
  // A text never changes without its core.
  productTexts: () => [],
  variantLists: ({ variantLists }) => variantLists.changedKeys(),
  variantStates: ({ variantStates }) => productsOfKeys(variantStates.changedKeys()),
  stocks: (batch) =>
    productsOfKeys(
      [...batch.stocks.changedKeys()].filter((key) => changesVisibleStock(batch, key)),
    ),
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

/** Whether a stock event changes documents. Most change only a quantity, which documents do not hold. */
const changesVisibleStock = (batch: UnitOfWork, key: number | string): boolean => {
  const [before, after] = [batch.stocks.original(key), batch.stocks.get(key)];
  return (
    before?.content?.orderable !== after?.content?.orderable ||
    before?.contentChangedAt !== after?.contentChangedAt
  );
};

/** Updates the set of orphans: stock and prices that arrived before their product wait, and are counted. */
const updateOrphan = (batch: UnitOfWork, stored: WritableTables, id: number): number => {
  const { productCores, stocks, prices } = batch;
  const isNow = isOrphan(productCores.get(id), stocks.get(id), prices.get(id));
  const wasBefore = isOrphan(productCores.original(id), stocks.original(id), prices.original(id));
  return isNow === wasBefore ? 0 : setMember(stored, tables.orphans, id, isNow);
};

const isOrphan = (core: CoreRow | undefined, ...others: readonly unknown[]): boolean =>
  core?.group == null && others.some((row) => row !== undefined);

const updateInStock = (
  stored: WritableTables,
  counters: Counters,
  id: number,
  before: MaybeDocument,
  after: MaybeDocument,
): void => {
  if (before?.availability === after?.availability) return;
  const member = after?.availability === "IN_STOCK";
  counters.add("inStock", setMember(stored, tables.inStock, id, member));
};

const updateCategories = (
  batch: UnitOfWork,
  stored: WritableTables,
  countChanges: Map<number, number>,
  id: number,
  before: MaybeDocument,
  after: MaybeDocument,
): void => {
  const getCategories = (visible: MaybeDocument, core: CoreRow | undefined): readonly number[] =>
    visible ? categoryIdsOf(core) : [];
  const [removed, added] = diffSets(
    getCategories(before, batch.productCores.original(id)),
    getCategories(after, batch.productCores.get(id)),
  );
  for (const category of removed) {
    stored.remove(tables.categoryProducts, [category, id]);
    countChanges.set(category, (countChanges.get(category) ?? 0) - 1);
  }
  for (const category of added) {
    stored.put(tables.categoryProducts, [category, id], true);
    countChanges.set(category, (countChanges.get(category) ?? 0) + 1);
  }
};

const countProducts = (
  stored: WritableTables,
  counters: Counters,
  category: number,
  delta: number,
): void => {
  if (delta === 0) return;
  const before = stored.get(tables.categoryCounts, category) ?? 0;
  const after = before + delta;
  if (after === 0) stored.remove(tables.categoryCounts, category);
  else stored.put(tables.categoryCounts, category, after);
  const isListed = stored.has(tables.categories, category);
  if (isListed) counters.add("stockedCategories", Number(after > 0) - Number(before > 0));
};
