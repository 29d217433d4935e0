import { listDate, listMembers } from "../../read-model/reader/list-dates.ts";
import { productLastmod } from "../../read-model/reader/sitemap-entries.ts";
import {
  type CategoryDocument,
  categoryPageProducts,
  type ListedCategory,
} from "../../read-model/schema/documents.ts";
import { pastEveryId, tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { Counters } from "./counters.ts";
import { tellChange } from "./page-index.ts";

/** The parent of a category of the tree; undefined for any other. */
type ParentOf = (id: number) => number | null | undefined;

/** Dates the pages of some categories, and of their parents, anew: a parent tells how many products each child holds. */
export const dateCategories = (
  stored: WritableTables,
  counters: Counters,
  changed: ReadonlySet<number>,
): void => {
  const parentOf: ParentOf = (id) => stored.get(tables.categories, id)?.parentId;
  for (const id of withParents(changed, parentOf)) {
    const before = stored.get(tables.categories, id);
    if (before) keepCategory(stored, counters, before, dated(stored, before, parentOf));
  }
};

/**
 * Stores the documents of a new tree.
 * @param changed categories whose page may be of another date; those that come are dated in any case
 */
export const keepTree = (
  stored: WritableTables,
  counters: Counters,
  before: ReadonlyMap<number, CategoryDocument>,
  tree: ReadonlyMap<number, ListedCategory>,
  changed: ReadonlySet<number>,
): void => {
  const parentOf: ParentOf = (id) => tree.get(id)?.parentId;
  const due = withParents(new Set([...changed, ...movedParents(before, tree)]), parentOf);
  for (const known of before.values()) {
    if (!tree.has(known.id)) keepCategory(stored, counters, known, undefined);
  }
  for (const [id, member] of tree) {
    const known = before.get(id);
    const document =
      known && !due.has(id)
        ? { ...member, lastmod: known.lastmod }
        : dated(stored, member, parentOf);
    keepCategory(stored, counters, known, document);
  }
};

/** The parents, former and new, of categories that came, left or moved: no date need tell of it. */
function* movedParents(
  before: ReadonlyMap<number, ListedCategory>,
  tree: ReadonlyMap<number, ListedCategory>,
): Generator<number> {
  for (const id of new Set([...before.keys(), ...tree.keys()])) {
    const [was, is] = [before.get(id), tree.get(id)];
    if (was?.parentId === is?.parentId && (was === undefined) === (is === undefined)) continue;
    for (const parent of [was?.parentId, is?.parentId]) if (parent != null) yield parent;
  }
}

const withParents = (ids: ReadonlySet<number>, parentOf: ParentOf): ReadonlySet<number> =>
  new Set([...ids, ...[...ids].flatMap((id) => parentOf(id) ?? [])]);

const dated = (
  stored: WritableTables,
  { id, name, url, parentId, depth }: ListedCategory,
  parentOf: ParentOf,
): CategoryDocument => {
  const lastmod = new Date(categoryDate(stored, id, parentOf)).toISOString();
  return { id, name, url, parentId, depth, lastmod };
};

const keepCategory = (
  stored: WritableTables,
  counters: Counters,
  before: CategoryDocument | undefined,
  after: CategoryDocument | undefined,
): void => {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  const id = before?.id ?? after?.id;
  if (id === undefined) return;
  if (after) stored.put(tables.categories, id, after);
  else stored.remove(tables.categories, id);
  tellChange(stored, counters, "category", id, before, after);
};

/**
 * When the page of a category last changed, in milliseconds since 1970: by events of the category and those above it,
 * of the categories it lists and how many products they hold, of products that came or left, and of those that its first
 * page shows.
 */
const categoryDate = (stored: WritableTables, id: number, parentOf: ParentOf): number => {
  let newest = stored.get(tables.categoryTimes, id)?.page ?? 0;
  newest = Math.max(newest, listDate(stored, "products", id));
  for (const [child, time] of listMembers(stored, "children", id)) {
    newest = Math.max(newest, time);
    if (parentOf(child) === id) newest = Math.max(newest, listDate(stored, "products", child));
  }
  const range = { start: [id, 0], end: [id, pastEveryId], limit: categoryPageProducts };
  for (const [, product] of stored.keys(tables.categoryProducts, range)) {
    const text = stored.text(tables.products, product);
    if (text !== undefined) newest = Math.max(newest, Date.parse(productLastmod(text)));
  }
  return newest;
};
