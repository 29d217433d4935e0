import type { Snapshot } from "../../../read-model/reader/reader.ts";
import { counted, lines } from "../format.ts";
import type { Tool } from "./tool.ts";

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
  readonly children: Branch[];
}

/** Levels that are told: text and JSON of more would grow with each level, and no client could read it. */
const mostLevels = 100;

export const listCategories: Tool<Arguments> = {
  name: "list_categories",
  answer(
    { moment },
    { max_depth: maxDepth = Number.POSITIVE_INFINITY, only_stocked: onlyStocked },
  ) {
    const all = moment.categories();
    const stocked = onlyStocked ? stockedOf(all) : undefined;
    const asked = all.filter(({ id, depth }) => (!stocked || stocked.has(id)) && depth <= maxDepth);
    const told = asked.filter(({ depth }) => depth <= mostLevels);
    const categories = treeOf(told);
    const deeper = asked.length - told.length;
    const text = lines(
      told.length === 0 ? "The shop has no such categories." : textOf(categories),
      deeper > 0 ? deeperText(deeper) : undefined,
    );
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

/** Parents stand before their children. */
const treeOf = (categories: readonly Category[]): readonly Branch[] => {
  const roots: Branch[] = [];
  const known = new Map<number, Branch>();
  for (const { id, name, url, depth, parentId, productCount } of categories) {
    const told = { id, name, url, depth, parent_id: parentId, product_count: productCount };
    const branch = { ...told, children: [] };
    known.set(id, branch);
    const siblings = parentId === null ? roots : known.get(parentId)?.children;
    siblings?.push(branch);
  }
  return roots;
};

/** One line a category, each before those below it. */
const textOf = (roots: readonly Branch[]): string => {
  const written: string[] = [];
  const write = (branches: readonly Branch[]): void => {
    for (const { id, name, url, depth, product_count: count, children } of branches) {
      const indent = "  ".repeat(depth - 1);
      written.push(
        `${indent}- ${name} (id ${id}): ${counted(count, "product")} directly in it, ${url}`,
      );
      write(children);
    }
  };
  write(roots);
  return written.join("\n");
};

const deeperText = (deeper: number): string =>
  `${counted(deeper, "category", "categories")} below level ${mostLevels} are not told; search_products finds what is in them by the id of one above.`;
