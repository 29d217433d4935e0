import { deepEqual } from "../../../platform/deep-equal.ts";
import type { CoreRow } from "../../../read-model/schema/rows.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import type { UnitOfWork } from "../../unit-of-work/unit-of-work.ts";
import { collectOfferChanges, type TouchedCategories } from "../category-dates.ts";
import { type Derivation, hasOtherLanguage } from "../derivation.ts";
import { openDocValueUpdates } from "../doc-values.ts";
import { setMember } from "../set-diff.ts";
import { updateSortIndexes } from "../sort-indexes.ts";
import { openContentUpdates } from "./product-content.ts";
import { isOrderable, updateDocuments } from "./product-documents.ts";
import {
  findChangedExceptOffers,
  readProductsOfSettings,
  readReindexedProducts,
} from "./touched-products.ts";
import {
  buildVisibleProduct,
  openProductRows,
  readVisibleProduct,
  type VisibleProduct,
} from "./visible-product.ts";

/**
 * Derives what is stored of every product that a batch changed, and all that depends on it.
 * @param touched products whose visible data the batch may have changed
 * @param renamed products of categories that their pages now name differently
 * @returns categories whose page may have changed by their products, and whether a product or variant has other addresses
 */
export const deriveProducts = (
  derivation: Derivation,
  touched: ReadonlySet<number>,
  renamed: Iterable<number>,
): { readonly categories: TouchedCategories; readonly hasMoved: boolean } => {
  const { batch, stored, settings } = derivation;
  const restated = new Set([...findChangedExceptOffers(batch), ...renamed]);
  const updated = new Set([...touched, ...restated, ...readProductsOfSettings(stored, settings)]);
  const product = openProductUpdates(derivation, restated);
  // Ascending, so that each page of LMDB is visited once, and as `collectOfferChanges` requires.
  for (const id of [...updated].sort((one, other) => one - other)) product.update(id);
  for (const id of readReindexedProducts(stored, settings))
    if (!updated.has(id)) product.reindex(id);
  return product.flush();
};

type MaybeVisible = VisibleProduct | undefined;

/** @param restated products of which a batch changed more than prices and stock */
const openProductUpdates = (derivation: Derivation, restated: ReadonlySet<number>) => {
  const { batch, stored, counters, settings } = derivation;
  let content: ReturnType<typeof openContentUpdates> | undefined;
  const openContent = () => (content ??= openContentUpdates(derivation, restated));
  // Another language indexes all products, at the flush.
  if (hasOtherLanguage(settings)) openContent();
  const docValues = openDocValueUpdates(stored, settings);
  const readRows = openProductRows(batch, stored);
  const changed = new Set<number>();
  const offers = collectOfferChanges();
  const touchCategories = (id: number, before: MaybeVisible, after: MaybeVisible): void => {
    if (!after) return;
    const isRestated = !before || restated.has(id);
    for (const category of after.text.categoryIds) {
      if (isRestated) changed.add(category);
      else offers.add(category, { id, before: before.offer, after: after.offer });
    }
  };
  /** Settings may change what is compared of a product that is the same. */
  const index = (id: number, before: MaybeVisible, after: MaybeVisible): void => {
    docValues.update(id, before, after);
    updateSortIndexes(stored, id, before, after, settings);
  };
  return {
    update(id: number): void {
      const rows = readRows(id);
      const before = readVisibleProduct(stored, id);
      const isRestated = restated.has(id);
      const text = isRestated ? openContent().buildText(id, rows, before?.text) : before?.text;
      const after = buildVisibleProduct(text, rows, settings.after);
      // A product that was visible and is the same but for its offer is no orphan.
      if (isRestated || !before) counters.add("orphans", updateOrphan(batch, stored, id));
      index(id, before, after);
      if (isRestated || isOrderable(before) !== isOrderable(after))
        openContent().update(id, before, after);
      if (deepEqual(before, after)) return;
      updateDocuments(stored, counters, id, [before, after]);
      touchCategories(id, before, after);
    },
    /** Indexes a product that is the same by other settings. */
    reindex(id: number): void {
      const visible = readVisibleProduct(stored, id);
      index(id, visible, visible);
    },
    /** Writes what was collected. */
    flush() {
      docValues.flush();
      const { categories = [], hasMoved = false } = content?.flush() ?? {};
      for (const category of categories) changed.add(category);
      return { categories: { changed, offers: offers.all() }, hasMoved };
    },
  };
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
