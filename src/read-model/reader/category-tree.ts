import type { CategoryDocument, ListedCategory } from "../schema/documents.ts";
import { tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";

/** The tree of visible categories. Product events never change it. */
export interface CategoryTree {
  /** All categories, sorted by depth, name in the shop's language, id. */
  readonly all: readonly ListedCategory[];
  readonly byId: ReadonlyMap<number, ListedCategory>;
  /** Children by the id of their parent, in the order of `all`. */
  readonly children: ReadonlyMap<number, readonly ListedCategory[]>;
}

export type CountedCategory<C extends ListedCategory = ListedCategory> = C & {
  /** Number of visible products directly in the category. */
  readonly productCount: number;
};

export const readCategoryTree = (stored: ReadTables): CategoryTree => {
  const all = (stored.get(tables.categoryOrder, "order") ?? []).flatMap((id) => {
    const category = stored.get(tables.categories, id);
    return category ? withoutDates(category) : [];
  });
  const children = new Map<number, ListedCategory[]>();
  for (const category of all) {
    if (category.parentId === null) continue;
    const siblings = children.get(category.parentId);
    if (siblings) siblings.push(category);
    else children.set(category.parentId, [category]);
  }
  return { all, byId: new Map(all.map((category) => [category.id, category])), children };
};

/** Removes the dates, which product events change too: the cached tree would keep an old value. */
const withoutDates = ({
  lastmod: _,
  changesAt: __,
  ...category
}: CategoryDocument): ListedCategory => category;

export const withProductCount = <C extends ListedCategory>(
  stored: ReadTables,
  category: C,
): CountedCategory<C> => ({
  ...category,
  productCount: stored.get(tables.categoryCounts, category.id) ?? 0,
});

/** Adds the product count to all categories with one scan, which takes less time than one lookup per category. */
export const readCountedCategories = (
  stored: ReadTables,
  { all }: CategoryTree,
): readonly CountedCategory[] => {
  const counts = new Map(stored.entries(tables.categoryCounts));
  return all.map((category) => ({ ...category, productCount: counts.get(category.id) ?? 0 }));
};
