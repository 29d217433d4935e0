import type { Snapshot } from "../../../read-model/reader.ts";
import type { Tool } from "../tool.ts";
import { counted } from "../wording.ts";

interface Arguments {
  readonly max_depth?: number;
  readonly only_stocked?: boolean;
}

type Category = ReturnType<Snapshot["categories"]>[number];

/** A category as told, with those below it. */
interface Branch {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly depth: number;
  readonly parent_id: number | null;
  readonly product_count: number;
  readonly children: readonly Branch[];
}

export const listCategories: Tool<Arguments> = {
  name: "list_categories",
  answer({ moment }, { max_depth: maxDepth, only_stocked: onlyStocked = false }) {
    const all = moment.categories();
    const stocked = onlyStocked ? stockedOf(all) : undefined;
    const kept = all.filter(
      ({ id, depth }) => (!stocked || stocked.has(id)) && (!maxDepth || depth <= maxDepth),
    );
    const categories = branches(byParent(kept), null);
    const text = kept.length === 0 ? "The shop has no such categories." : textOf(categories);
    return { structured: { categories }, text };
  },
};

/** Categories with a product in them or anywhere below: dropping a parent would lose its children. */
const stockedOf = (all: readonly Category[]): ReadonlySet<number> => {
  const stocked = new Set<number>();
  // Deepest first, so that a parent is asked after all its children.
  for (const { id, parentId, productCount } of all.toReversed()) {
    if (productCount > 0) stocked.add(id);
    if (stocked.has(id) && parentId !== null) stocked.add(parentId);
  }
  return stocked;
};

type ByParent = ReadonlyMap<number | null, readonly Category[]>;

const byParent = (categories: readonly Category[]): ByParent =>
  categories.reduce((found, category) => {
    const siblings = found.get(category.parentId);
    if (siblings) siblings.push(category);
    else found.set(category.parentId, [category]);
    return found;
  }, new Map<number | null, Category[]>());

const branches = (found: ByParent, parentId: number | null): readonly Branch[] =>
  (found.get(parentId) ?? []).map(({ id, name, url, depth, productCount }) => ({
    id,
    name,
    url,
    depth,
    parent_id: parentId,
    product_count: productCount,
    children: branches(found, id),
  }));

const textOf = (categories: readonly Branch[]): string =>
  categories
    .flatMap(({ id, name, url, depth, product_count: count, children }) => [
      `${"  ".repeat(depth - 1)}- ${name} (id ${id}): ${counted(count, "product")}, ${url}`,
      ...(children.length > 0 ? [textOf(children)] : []),
    ])
    .join("\n");
