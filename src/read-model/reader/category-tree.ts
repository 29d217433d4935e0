import type { CategoryDocument, ListedCategory } from "../schema/documents.ts";
import { tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";

/** The visible categories as they stand to each other: only events of anything but products change that. */
export interface CategoryTree {
  /** Ordered by depth, name in the shop's language, id. */
  readonly all: readonly ListedCategory[];
  /** In the same order, by the id of the one above. */
  readonly children: ReadonlyMap<number, readonly ListedCategory[]>;
}

export type CountedCategory<C extends ListedCategory = ListedCategory> = C & {
  /** Visible products directly in it. */
  readonly productCount: number;
};

export const treeOf = (stored: Tables): CategoryTree => {
  const all = (stored.get(tables.categoryOrder, "order") ?? []).flatMap((id) => {
    const category = stored.get(tables.categories, id);
    return category ? listed(category) : [];
  });
  const children = new Map<number, ListedCategory[]>();
  for (const category of all) {
    if (category.parentId === null) continue;
    const siblings = children.get(category.parentId);
    if (siblings) siblings.push(category);
    else children.set(category.parentId, [category]);
  }
  return { all, children };
};

/** Without its date, which follows products too, and would be kept while they change. */
const listed = ({ lastmod: _, ...category }: CategoryDocument): ListedCategory => category;

export const countedOf = <C extends ListedCategory>(
  stored: Tables,
  category: C,
): CountedCategory<C> => ({
  ...category,
  productCount: stored.get(tables.categoryCounts, category.id) ?? 0,
});

/** The same of all of them: to walk the counts takes less than to look for each. */
export const allCounted = (stored: Tables, { all }: CategoryTree): readonly CountedCategory[] => {
  const counts = new Map(stored.entries(tables.categoryCounts));
  return all.map((category) => ({ ...category, productCount: counts.get(category.id) ?? 0 }));
};
