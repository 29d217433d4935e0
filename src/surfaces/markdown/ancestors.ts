import type { CategoryDocument } from "../../read-model/documents.ts";
import type { Snapshot } from "../../read-model/reader.ts";

/**
 * The categories above one, root first; where there are more than `most`, the nearest. Visible categories have a whole
 * chain, and no chain leads back to itself.
 */
export const ancestors = (
  moment: Snapshot,
  { parentId }: CategoryDocument,
  most: number,
): readonly CategoryDocument[] => {
  const above: CategoryDocument[] = [];
  for (let id = parentId; id !== null && above.length < most; ) {
    const parent = moment.category(id);
    if (!parent) break;
    above.push(parent);
    id = parent.parentId;
  }
  return above.reverse();
};

/** Some categories and all above them, each once; undefined where more than `most` are above them. */
export const withAncestors = (
  moment: Snapshot,
  categories: readonly CategoryDocument[],
  most: number,
): readonly CategoryDocument[] | undefined => {
  const chains = [...categories];
  const known = new Set(categories.map(({ id }) => id));
  // What is found above is walked on from in its turn.
  for (const { parentId } of chains) {
    if (parentId === null || known.has(parentId)) continue;
    if (chains.length - categories.length === most) return undefined;
    const parent = moment.category(parentId);
    if (parent) chains.push(parent);
    known.add(parentId);
  }
  return chains;
};
