import { lastMoveTime, shopListing } from "../../../projections/moves.ts";
import { shopOwner } from "../../read-model/reader/list-dates.ts";
import type { CategoryRow, CoreRow, PageRow } from "../../read-model/schema/rows.ts";
import { type DatedList, tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import { type Change, replaceKeys } from "./set-diff.ts";

/** Date of an entity in a list: when it was last added, removed or changed there, in milliseconds since 1970. */
export interface ListDate {
  readonly list: DatedList;
  /** Category that owns the list; 0 for the shop. */
  readonly owner: number;
  readonly time: number;
}

/**
 * Builds the list dates of a product. Any move counts for the shop, because pages of the whole shop show a count of
 * products.
 */
export const buildProductListDates = (row: CoreRow | undefined): readonly ListDate[] =>
  (row?.moves ?? []).map(([owner, time]) => ({
    list: "products",
    owner,
    time: owner === shopListing ? lastMoveTime(row?.moves ?? []) : time,
  }));

export const buildCategoryListDates = (row: CategoryRow | undefined): readonly ListDate[] => {
  if (!row) return [];
  const { summaryChangedAt, content } = row;
  const parent = content?.active ? content.parentId : null;
  const children = row.moves.map(([owner, time]): ListDate => {
    return {
      list: "children",
      owner,
      time: owner === parent ? Math.max(time, summaryChangedAt) : time,
    };
  });
  return [...children, { list: "categories", owner: shopOwner, time: summaryChangedAt }];
};

export const buildPageListDates = (row: PageRow | undefined): readonly ListDate[] => {
  if (!row) return [];
  const pages: ListDate = { list: "pages", owner: shopOwner, time: row.contentChangedAt };
  if (row.policyAt === null) return [pages];
  return [pages, { list: "policies", owner: shopOwner, time: row.policyAt }];
};

/**
 * Updates the list dates of one entity.
 * @returns the owners of the lists that changed
 */
export const updateListDates = <T>(
  stored: WritableTables,
  id: number,
  change: Change<T>,
  toDates: (row: T | undefined) => readonly ListDate[],
): readonly number[] => {
  const changes = replaceKeys(stored, tables.listDates, change, (row) =>
    toDates(row).map(({ list, owner, time }) => [list, owner, time, id] as const),
  );
  return changes.flat().map(([, owner]) => owner);
};
