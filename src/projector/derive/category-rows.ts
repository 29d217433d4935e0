import type { CategoryContent, CategoryRow } from "../../read-model/schema/rows.ts";
import { tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";
import { readIndexSettings } from "./index-settings.ts";

/** A category's row without its texts. The rows of all categories are held in memory while the tree is derived. */
export interface PlainCategoryRow extends Omit<CategoryRow, "content"> {
  readonly content: Pick<CategoryContent, "name" | "url" | "parentId" | "active"> | null;
}

export type CategoryRows = readonly (readonly [id: number, row: PlainCategoryRow])[];

/**
 * Reads every category once for all that is derived from the tree.
 * @returns undefined when a batch cannot have changed the tree
 */
export const readCategoryRows = (
  batch: UnitOfWork,
  stored: WritableTables,
): CategoryRows | undefined => {
  const { before, after } = readIndexSettings(batch);
  if (batch.categoryStates.changedKeys().size === 0 && before.language === after.language) {
    return undefined;
  }
  return Array.from(stored.entries(tables.categoryStates), ([id, { content, ...row }]) => {
    if (!content) return [id, { ...row, content: null }] as const;
    const { name, url, parentId, active } = content;
    return [id, { ...row, content: { name, url, parentId, active } }] as const;
  });
};
