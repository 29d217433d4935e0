import type { Snapshot } from "../../../read-model/reader/reader.ts";
import type { ListedCategory } from "../../../read-model/schema/documents.ts";
import { joinLines, pluralize } from "../../format.ts";
import { notFound } from "../../user-error.ts";
import { countFitting, maxTextCharacters } from "../text-bound.ts";
import { type Id, parseId, type Tool } from "./tool.ts";

interface Arguments {
  readonly parent_id?: Id;
  readonly depth?: number;
  readonly max_depth?: number;
  readonly only_stocked?: boolean;
}

type Category = ReturnType<Snapshot["categories"]>[number];

/** A category in the result, with its subcategories. */
interface Branch {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly depth: number;
  readonly parent_id: number | null;
  readonly product_count: number;
  readonly children: Branch[];
}

/** Maximum levels in a result, because indentation and nesting grow with each level beyond what clients can read. */
const maxLevels = 100;

export const listCategories: Tool<Arguments> = {
  name: "list_categories",
  answer({ snapshot }, args) {
    const { parent_id: parentId, only_stocked: onlyStocked } = args;
    const parent = parentId === undefined ? undefined : snapshot.listedCategory(parseId(parentId));
    if (parentId !== undefined && !parent)
      return notFound(["parent_id"], `No category has the id ${parentId}.`);
    const deepest = deepestLevel(args, parent);
    const all = snapshot.categories();
    const stocked = onlyStocked ? findStocked(all) : undefined;
    const matching = (parent ? selectDescendants(all, parent.id) : all).filter(
      ({ id, depth }) => (!stocked || stocked.has(id)) && depth <= deepest,
    );
    const included = matching.filter(({ depth }) => depth <= maxLevels);
    const categories = buildTree(included);
    const deeper = matching.length - included.length;
    const text = joinLines(
      included.length === 0 ? "The shop has no such categories." : formatTree(categories),
      deeper > 0 ? formatDeeper(deeper) : undefined,
    );
    return { structured: { categories }, text };
  },
};

/** Returns the deepest level to list. `depth` counts from the parent, `max_depth` from the roots. */
const deepestLevel = (
  { depth = Number.POSITIVE_INFINITY, max_depth: maxDepth = Number.POSITIVE_INFINITY }: Arguments,
  parent: ListedCategory | undefined,
): number => Math.min(maxDepth, (parent?.depth ?? 0) + depth);

/** @param all categories, sorted with parents before their children */
const selectDescendants = (all: readonly Category[], id: number): readonly Category[] => {
  const branch = new Set([id]);
  return all.filter((category) => {
    if (category.parentId === null || !branch.has(category.parentId)) return false;
    branch.add(category.id);
    return true;
  });
};

/**
 * Finds the categories with a product in them or in a descendant, because dropping a parent would drop its children.
 */
const findStocked = (all: readonly Category[]): ReadonlySet<number> => {
  const stocked = new Set<number>();
  // Goes deepest first, so that all children come before their parent.
  for (const { id, parentId, productCount } of all.toReversed()) {
    if (productCount > 0) stocked.add(id);
    if (stocked.has(id) && parentId !== null) stocked.add(parentId);
  }
  return stocked;
};

/** Builds the tree of categories, which are sorted with parents before their children. */
const buildTree = (categories: readonly Category[]): readonly Branch[] => {
  const roots: Branch[] = [];
  const byId = new Map<number, Branch>();
  for (const { id, name, url, depth, parentId, productCount } of categories) {
    const category = { id, name, url, depth, parent_id: parentId, product_count: productCount };
    const branch = { ...category, children: [] };
    byId.set(id, branch);
    const above = parentId === null ? undefined : byId.get(parentId);
    (above?.children ?? roots).push(branch);
  }
  return roots;
};

/** Formats one line per category, each before its subcategories: the levels that fit in full, and the call for the others. */
const formatTree = (roots: readonly Branch[]): string => {
  const rows: (readonly [level: number, line: string, parent: number | null])[] = [];
  const levels: string[] = [];
  const write = (branches: readonly Branch[], level: number): void => {
    for (const { id, name, url, product_count: count, parent_id: parent, children } of branches) {
      const line = `${"  ".repeat(level)}- ${name} (id ${id}): ${pluralize(count, "product")} directly in it, ${url}`;
      rows.push([level, line, parent]);
      levels[level] = `${levels[level] ?? ""}${line}\n`;
      write(children, level + 1);
    }
  };
  write(roots, 0);
  const shown = countFitting(levels, maxTextCharacters - 1_000);
  const others = rows.filter(([level]) => level >= shown);
  return joinLines(
    rows.flatMap(([level, line]) => (level < shown ? line : [])).join("\n"),
    others.length > 0
      ? `${pluralize(others.length, "category", "categories")} below these: continue with list_categories and a parent_id, such as ${others[0]?.[2]}.`
      : undefined,
  );
};

const formatDeeper = (deeper: number): string =>
  `${pluralize(deeper, "category", "categories")} below level ${maxLevels} are not listed; search_products finds their products by the id of an ancestor.`;
