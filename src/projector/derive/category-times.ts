import type { TreeRow } from "../../../projections/category-tree.ts";
import { lastMoveTime } from "../../../projections/moves.ts";
import type { CategoryRow } from "../../read-model/schema/rows.ts";
import { type CategoryTimes, idUpperBound, tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";

/** A category's row without its texts. The rows of all categories are held in memory while the tree is derived. */
type PlainCategoryRow = Omit<CategoryRow, "content"> & TreeRow;

export type CategoryRows = readonly (readonly [id: number, row: PlainCategoryRow])[];

/** Reads every category once for all that is derived from the tree. */
export const readCategoryRows = (stored: WritableTables): CategoryRows =>
  Array.from(stored.entries(tables.categoryStates), ([id, { content, ...row }]) => {
    if (!content) return [id, { ...row, content: null }] as const;
    const { name, url, parentId, active } = content;
    return [id, { ...row, content: { name, url, parentId, active } }] as const;
  });

/**
 * Dates every category by its own events and by those of its ancestors: one event may show or hide a branch.
 * @returns categories whose own page changed, and the products whose pages name a changed category
 */
export const deriveCategoryTimes = (stored: WritableTables, rows: CategoryRows) => {
  const [named, page] = [new Set<number>(), new Set<number>()];
  const before = new Map(stored.entries(tables.categoryTimes));
  for (const [id, times] of computeTimes(rows)) {
    const previous = before.get(id);
    if (previous?.summary !== times.summary) named.add(id);
    if (previous?.page !== times.page) page.add(id);
    if (named.has(id) || page.has(id)) stored.put(tables.categoryTimes, id, times);
  }
  return { products: readVisibleProducts(stored, named), page };
};

function* readVisibleProducts(
  stored: WritableTables,
  categories: ReadonlySet<number>,
): Generator<number> {
  for (const category of categories) {
    const range = { start: [category, 0], end: [category, idUpperBound] } as const;
    // Reads the keys first, because the caller writes to the same environment.
    for (const [, id] of [...stored.keys(tables.categoryProducts, range)]) yield id;
  }
}

/** Newest dates of a category and all its ancestors. */
interface InheritedTimes {
  readonly summaryChangedAt: number;
  readonly movedAt: number;
}

const noTimes: InheritedTimes = { summaryChangedAt: 0, movedAt: 0 };

function* computeTimes(rows: CategoryRows): Generator<readonly [number, CategoryTimes]> {
  const inheritedById = computeInherited(new Map(rows));
  for (const [id, { content, contentChangedAt, summaryChangedAt }] of rows) {
    const parentId = content?.parentId ?? null;
    const inherited = (parentId !== null && inheritedById.get(parentId)) || noTimes;
    const summary = Math.max(summaryChangedAt, inherited.movedAt);
    yield [id, { summary, page: Math.max(contentChangedAt, inherited.summaryChangedAt) }];
  }
}

/**
 * Computes the newest dates along each chain of ancestors. Invariant: every chain is walked once; a circle is cut
 * where the walk comes back to it.
 */
const computeInherited = (
  rows: ReadonlyMap<number, PlainCategoryRow>,
): ReadonlyMap<number, InheritedTimes> => {
  const inheritedById = new Map<number, InheritedTimes>();
  for (const id of rows.keys()) {
    const path = new Map<number, PlainCategoryRow>();
    let current: number | null = id;
    for (;;) {
      const row: PlainCategoryRow | undefined = current === null ? undefined : rows.get(current);
      if (current === null || !row || inheritedById.has(current) || path.has(current)) break;
      path.set(current, row);
      current = row.content?.parentId ?? null;
    }
    let inherited = (current !== null && inheritedById.get(current)) || noTimes;
    for (const [member, { summaryChangedAt, moves }] of [...path].reverse()) {
      inherited = {
        summaryChangedAt: Math.max(summaryChangedAt, inherited.summaryChangedAt),
        movedAt: Math.max(lastMoveTime(moves), inherited.movedAt),
      };
      inheritedById.set(member, inherited);
    }
  }
  return inheritedById;
};
