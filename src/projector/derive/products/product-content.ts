import { deepEqual } from "../../../platform/deep-equal.ts";
import type { ProductText } from "../../../read-model/schema/documents.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import type { UnitOfWork } from "../../unit-of-work/unit-of-work.ts";
import type { Derivation } from "../derivation.ts";
import { buildProductListDates, updateListDates } from "../list-dates.ts";
import { openSearchIndex } from "../search-index.ts";
import { openAttributeUpdates } from "./attribute-values.ts";
import { namedTimes, openProductCategories } from "./product-categories.ts";
import { updateAddresses } from "./product-documents.ts";
import { buildText, type ProductRows, type VisibleProduct } from "./visible-product.ts";

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
  const categories = openProductCategories(stored);
  const namedAt = namedTimes(stored);
  const changed = new Set<number>();
  let hasMoved = false;
  return {
    /** Builds the texts of a product. @returns `before` itself when they are the same */
    buildText(id: number, rows: ProductRows, before: ProductText | undefined) {
      const text = buildText(id, rows, namedAt);
      return deepEqual(before, text) ? before : text;
    },
    update(id: number, before: MaybeVisible, after: MaybeVisible): void {
      searchIndex.update(id, before, after);
      if (!restated.has(id)) return;
      for (const category of updateDates(batch, stored, id)) changed.add(category);
      hasMoved = updateAddresses(stored, id, [before, after]) || hasMoved;
      categories.update(id, before?.text, after?.text);
      attributes.update(id, before, after);
    },
    /** Writes what was collected. @returns categories whose lists changed, and whether a page has another address */
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
