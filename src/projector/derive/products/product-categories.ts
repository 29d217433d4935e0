import { latestOf } from "../../../events/time.ts";
import type { ProductText } from "../../../read-model/schema/documents.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import type { Counters } from "../derivation.ts";
import { putOrRemove, replaceKeys } from "../set-diff.ts";

type MaybeText = ProductText | undefined;

/** Updates which products the categories hold, over one batch. */
export const openProductCategories = (stored: WritableTables) => {
  const countChanges = new Map<number, number>();
  const count = (category: number, delta: number): void => {
    countChanges.set(category, (countChanges.get(category) ?? 0) + delta);
  };
  return {
    update(id: number, before: MaybeText, after: MaybeText): void {
      if (before === after) return;
      const [removed, added] = replaceKeys(
        stored,
        tables.categoryProducts,
        [before, after],
        (text) => (text?.categoryIds ?? []).map((category) => [category, id] as const),
      );
      for (const [category] of removed) count(category, -1);
      for (const [category] of added) count(category, 1);
    },
    /** Writes how many products each changed category holds. @returns the changed categories */
    flush(counters: Counters): Iterable<number> {
      for (const [category, delta] of countChanges)
        countProducts(stored, counters, category, delta);
      return countChanges.keys();
    },
  };
};

/** Creates a lookup of the date that a product page has from its category names. */
export const namedTimes = (
  stored: WritableTables,
): ((categoryIds: readonly number[]) => number) => {
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
