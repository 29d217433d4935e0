import { buildProductText } from "../../../../projections/product-text.ts";
import { latestOf } from "../../../events/time.ts";
import { deepEqual } from "../../../platform/deep-equal.ts";
import type { ProductText } from "../../../read-model/schema/documents.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import type { UnitOfWork } from "../../unit-of-work/unit-of-work.ts";
import type { Counters, Derivation } from "../derivation.ts";
import { buildProductListDates, updateListDates } from "../list-dates.ts";
import { openSearchIndex } from "../search-index.ts";
import { type Change, putOrRemove, replaceKeys } from "../set-diff.ts";
import { openAttributeUpdates } from "./attribute-values.ts";
import { updateAddresses } from "./product-documents.ts";
import type { ProductRows, VisibleProduct } from "./visible-product.ts";

type MaybeVisible = VisibleProduct | undefined;

/**
 * Updates what depends on the texts of products and on whether they can be ordered, over one batch. Most events change
 * neither, and do not come here.
 * @param restated products of which a batch changed more than prices and stock
 */
export const openContentUpdates = (
  { batch, stored, counters, settings }: Derivation,
  restated: ReadonlySet<number>,
) => {
  const searchIndex = openSearchIndex(batch, stored, counters, settings);
  const attributes = openAttributeUpdates(stored);
  const namedAt = namedTimes(stored);
  const changed = new Set<number>();
  const countChanges = new Map<number, number>();
  const moveBetweenCategories = (id: number, texts: Change<ProductText>): void => {
    const [removed, added] = replaceKeys(stored, tables.categoryProducts, texts, (text) =>
      (text?.categoryIds ?? []).map((category) => [category, id] as const),
    );
    const count = (category: number, delta: number): void =>
      void countChanges.set(category, (countChanges.get(category) ?? 0) + delta);
    for (const [category] of removed) count(category, -1);
    for (const [category] of added) count(category, 1);
  };
  let hasMoved = false;
  return {
    /** Builds the texts of a product. @returns `before` itself when they are the same */
    buildText(id: number, { core, active }: ProductRows, before: ProductText | undefined) {
      const row = core();
      const nameTime = namedAt(row?.group?.content?.categoryIds ?? []);
      const text = buildProductText(id, row, active, nameTime);
      return deepEqual(before, text) ? before : text;
    },
    update(id: number, before: MaybeVisible, after: MaybeVisible): void {
      searchIndex.update(id, before, after);
      if (!restated.has(id)) return;
      for (const category of updateDates(batch, stored, id)) changed.add(category);
      hasMoved = updateAddresses(stored, id, [before, after]) || hasMoved;
      if (before?.text !== after?.text) moveBetweenCategories(id, [before?.text, after?.text]);
      attributes.update(id, before, after);
    },
    /** Writes what was collected. @returns categories whose lists changed, and whether a page has another address */
    flush() {
      searchIndex.flush();
      attributes.flush();
      for (const [category, delta] of countChanges) {
        countProducts(stored, counters, category, delta);
        // An event that adds or removes a product may be no newer than its last move there.
        changed.add(category);
      }
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

/** Creates a lookup of the date that a product page has from its category names. */
const namedTimes = (stored: WritableTables): ((categoryIds: readonly number[]) => number) => {
  const timeById = new Map<number, number>();
  const readTime = (id: number): number => {
    const time = timeById.get(id) ?? stored.get(tables.categoryTimes, id)?.summary ?? 0;
    timeById.set(id, time);
    return time;
  };
  return (categoryIds) => latestOf(categoryIds.map(readTime));
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
  putOrRemove(stored, tables.categoryCounts, category, after || undefined);
  const isListed = stored.has(tables.categories, category);
  if (isListed) counters.add("stockedCategories", Number(after > 0) - Number(before > 0));
};
