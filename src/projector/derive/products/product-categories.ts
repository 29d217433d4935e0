import { latestOf } from "../../../events/time.ts";
import type { ProductText } from "../../../read-model/schema/documents.ts";
import { idUpperBound, tables } from "../../../read-model/schema/tables.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import type { Counters } from "../counters.ts";
import { diffSets } from "../set-diff.ts";

type MaybeText = ProductText | undefined;

/** Updates which products the categories hold, over one batch. */
export interface ProductCategories {
  update(id: number, before: MaybeText, after: MaybeText): void;
  /** Writes how many products each changed category holds. @returns the changed categories */
  flush(counters: Counters): Iterable<number>;
}

export const openProductCategories = (stored: WritableTables): ProductCategories => {
  const countChanges = new Map<number, number>();
  const count = (category: number, delta: number): void => {
    countChanges.set(category, (countChanges.get(category) ?? 0) + delta);
  };
  return {
    update(id, before, after) {
      if (before === after) return;
      const [removed, added] = diffSets(before?.categoryIds ?? [], after?.categoryIds ?? []);
      for (const category of removed) {
        stored.remove(tables.categoryProducts, [category, id]);
        count(category, -1);
      }
      for (const category of added) {
        stored.put(tables.categoryProducts, [category, id], true);
        count(category, 1);
      }
    },
    flush(counters) {
      for (const [category, delta] of countChanges)
        countProducts(stored, counters, category, delta);
      return countChanges.keys();
    },
  };
};

export function* readVisibleProducts(
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
  if (after === 0) stored.remove(tables.categoryCounts, category);
  else stored.put(tables.categoryCounts, category, after);
  const isListed = stored.has(tables.categories, category);
  if (isListed) counters.add("stockedCategories", Number(after > 0) - Number(before > 0));
};
