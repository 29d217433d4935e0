import type { WritableTables } from "../../read-model/store/store.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";
import { deriveCategories } from "./categories.ts";
import { deriveCategoryTimes, readCategoryRows } from "./category-times.ts";
import { appendChangeSet } from "./change-log.ts";
import { openCounters } from "./counters.ts";
import { readIndexSettings } from "./index-settings.ts";
import { derivePages } from "./pages.ts";
import { deriveProducts } from "./products/derive-products.ts";

/**
 * Updates every derived table from the rows that a batch changed. Each step compares the state before the batch with
 * the current rows, so the result does not depend on how the log was cut into batches.
 */
export const derive = (batch: UnitOfWork, stored: WritableTables, deadLetters: number): void => {
  const counters = openCounters(stored);
  const derivation = { batch, stored, counters, settings: readIndexSettings(batch) };
  const rows = readCategoryRows(derivation);
  const times = deriveCategoryTimes(derivation, rows);
  const { categories, hasMoved } = deriveProducts(derivation, times.named);
  deriveCategories(derivation, rows, new Set([...times.page, ...categories]));
  derivePages(derivation);
  counters.add("deadLetters", deadLetters);
  counters.flush();
  appendChangeSet(batch, stored, hasMoved);
};
