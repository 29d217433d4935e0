import type { CategoryDocument } from "./documents.ts";
import type { Tables } from "./store.ts";
import { tables } from "./tables.ts";

/** The visible categories as they stand to each other: only events of anything but products change that. */
export interface CategoryTree {
  /** Ordered by depth, name in the shop's language, id. */
  readonly all: readonly CategoryDocument[];
  /** In the same order, by the id of the one above. */
  readonly children: ReadonlyMap<number, readonly CategoryDocument[]>;
}

export type CountedCategory = CategoryDocument & {
  /** Visible products directly in it. */
  readonly productCount: number;
};

export const treeOf = (stored: Tables): CategoryTree => {
  const all = (stored.get(tables.categoryOrder, "order") ?? []).flatMap(
    (id) => stored.get(tables.categories, id) ?? [],
  );
  const children = new Map<number, CategoryDocument[]>();
  for (const category of all) {
    if (category.parentId === null) continue;
    const siblings = children.get(category.parentId);
    if (siblings) siblings.push(category);
    else children.set(category.parentId, [category]);
  }
  return { all, children };
};

export const countedOf = (stored: Tables, category: CategoryDocument): CountedCategory => ({
  ...category,
  productCount: stored.get(tables.categoryCounts, category.id) ?? 0,
});

/** The same of all of them: to walk the counts takes less than to look for each. */
export const allCounted = (stored: Tables, { all }: CategoryTree): readonly CountedCategory[] => {
  const counts = new Map(stored.entries(tables.categoryCounts));
  return all.map((category) => ({ ...category, productCount: counts.get(category.id) ?? 0 }));
};
