import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { ListedCategory } from "../../read-model/schema/documents.ts";

/**
 * The categories above one, root first; where there are more than `most`, the nearest. Visible categories have a whole
 * chain, and no chain leads back to itself.
 */
export const ancestors = (
  moment: Snapshot,
  { parentId }: ListedCategory,
  most: number,
): readonly ListedCategory[] => {
  const above: ListedCategory[] = [];
  for (let id = parentId; id !== null && above.length < most; ) {
    const parent = moment.category(id);
    if (!parent) break;
    above.push(parent);
    id = parent.parentId;
  }
  return above.reverse();
};
