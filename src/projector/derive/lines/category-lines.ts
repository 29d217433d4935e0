import { lineKey } from "../../../read-model/schema/lines.ts";
import type { CategoryContent } from "../../../read-model/schema/rows.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { CategoryRows } from "../category-times.ts";
import type { Derivation } from "../derivation.ts";
import type { LineNotes } from "./line-notes.ts";
import { isConstant } from "./stock-change.ts";

/**
 * Notes the lines of the categories that a batch changed, and of those below a category that it moved, showed or hid.
 * @param rows all categories
 */
export const noteCategoryLines = (
  { batch: { categoryStates }, stored }: Derivation,
  notes: LineNotes,
  rows: CategoryRows,
): void => {
  const changed = [...categoryStates.changedKeys()].filter(
    (id) => categoryStates.changedAt(id) > 0,
  );
  if (changed.length === 0) return;
  const versions = (id: number) => categoryStates.versions(id).map((row) => row?.content);
  const moved = changed.filter((id) => !isConstant(versions(id).map(toPosition)));
  const children = groupByParent(rows, new Set(changed), versions);
  const wasShown = collectBelow(children, [null], new Set());
  const changedAt = new Map(changed.map((id) => [id, categoryStates.changedAt(id)]));
  const seen = new Set<number>();
  // The latest first, so that each branch is walked once.
  moved.sort((one, other) => categoryStates.changedAt(other) - categoryStates.changedAt(one));
  for (const root of moved)
    for (const id of collectBelow(children, [root], seen))
      changedAt.set(id, Math.max(changedAt.get(id) ?? 0, categoryStates.changedAt(root)));
  for (const [id, at] of changedAt) {
    const isShown = stored.has(tables.categories, id);
    notes.note(lineKey("category", id), [{ at, isShown, wasShown: wasShown.has(id) }]);
  }
};

type TreeNode = Pick<CategoryContent, "parentId" | "active">;
type MaybeNode = TreeNode | null | undefined;

const toPosition = (content: MaybeNode) => content && [content.parentId, content.active];

type Children = ReadonlyMap<number | null, readonly number[]>;

/** Groups the categories that were active at any time of a batch by every parent that they had. */
const groupByParent = (
  rows: CategoryRows,
  changed: ReadonlySet<number>,
  versions: (id: number) => readonly MaybeNode[],
): Children => {
  const children = new Map<number | null, number[]>();
  const add = (id: number, content: MaybeNode): void => {
    if (!content?.active) return;
    const siblings = children.get(content.parentId);
    if (siblings) siblings.push(id);
    else children.set(content.parentId, [id]);
  };
  for (const [id, { content }] of rows)
    for (const each of changed.has(id) ? versions(id) : [content]) add(id, each);
  return children;
};

/** Collects the categories below some, without those seen before. */
const collectBelow = (
  children: Children,
  roots: readonly (number | null)[],
  seen: Set<number>,
): ReadonlySet<number> => {
  const found = new Set<number>();
  let level = roots;
  while (level.length > 0) {
    const next = level.flatMap((id) => children.get(id) ?? []).filter((id) => !seen.has(id));
    for (const id of next) {
      seen.add(id);
      found.add(id);
    }
    level = [...new Set(next)];
  }
  return found;
};
