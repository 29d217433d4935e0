import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { ListedCategory } from "../../read-model/schema/documents.ts";

/**
 * Lists the ancestors of a category, root first; of more than `maxCount`, the nearest.
 *
 * Invariant: every visible category has a complete chain of ancestors without a cycle.
 */
export const findAncestors = (
  snapshot: Snapshot,
  { parentId }: ListedCategory,
  maxCount: number,
): readonly ListedCategory[] => {
  const above: ListedCategory[] = [];
  for (let id = parentId; id !== null && above.length < maxCount; ) {
    const parent = snapshot.listedCategory(id);
    if (!parent) break;
    above.push(parent);
    id = parent.parentId;
  }
  return above.reverse();
};
