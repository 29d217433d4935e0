import type { CategoryDocument } from "../../read-model/documents.ts";
import type { Snapshot } from "../../read-model/reader.ts";

/** The categories above one, root first. Visible categories have a whole chain, and no chain leads back to itself. */
export const ancestors = (
  moment: Snapshot,
  { parentId }: CategoryDocument,
): readonly CategoryDocument[] => {
  const parent = parentId === null ? undefined : moment.category(parentId);
  return parent ? [...ancestors(moment, parent), parent] : [];
};
