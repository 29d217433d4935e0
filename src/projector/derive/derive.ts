import type { WritableTables } from "../../read-model/store/store.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";
import { deriveCategories } from "./categories.ts";
import { updateCategoryDates } from "./category-dates.ts";
import { deriveCategoryTimes, readCategoryRows } from "./category-times.ts";
import { appendChangeSet } from "./change-log.ts";
import { hasOtherLanguage, openCounters, readIndexSettings } from "./derivation.ts";
import { deriveLines } from "./lines/derive-lines.ts";
import { derivePages } from "./pages.ts";
import { deriveProducts } from "./products/derive-products.ts";
import { findTouchedProducts } from "./products/touched-products.ts";

/** The events of a batch, as far as tables depend on them. */
interface DerivedEvents {
  /** Change of the number of dead letters. */
  readonly deadLetters: number;
  /** Log sequence of the last event. */
  readonly to: number;
}

/**
 * Updates every derived table from the rows that a batch changed. Each step compares the state before the batch with
 * the current rows, so the result does not depend on how the log was cut into batches. Steps whose rows are unchanged
 * are left out.
 */
export const derive = (
  batch: UnitOfWork,
  stored: WritableTables,
  { deadLetters, to }: DerivedEvents,
): void => {
  const counters = openCounters(stored);
  const settings = readIndexSettings(batch);
  const derivation = { batch, stored, counters, settings };
  const isOtherLanguage = hasOtherLanguage(settings);
  const haveCategoriesChanged = batch.categoryStates.changedKeys().size > 0;
  const rows = haveCategoriesChanged || isOtherLanguage ? readCategoryRows(stored) : undefined;
  const times = haveCategoriesChanged && rows ? deriveCategoryTimes(stored, rows) : undefined;
  const touched = findTouchedProducts(batch);
  const { categories, hasMoved } = deriveProducts(derivation, touched, times?.products ?? []);
  const { changed, offers } = categories;
  if (rows)
    deriveCategories(
      derivation,
      rows,
      new Set([...(times?.page ?? []), ...changed, ...offers.keys()]),
    );
  else updateCategoryDates(stored, counters, categories);
  if (batch.pages.changedKeys().size > 0 || isOtherLanguage) derivePages(derivation);
  deriveLines(derivation, rows, to);
  counters.add("deadLetters", deadLetters);
  counters.flush();
  appendChangeSet(batch, stored, touched, hasMoved);
};
