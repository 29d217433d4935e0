import { hashInteger } from "../../../text/hash.ts";
import { type Table, tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";

/**
 * Long lists of products are stored as blocks. A hash of each id alone decides whether a block starts there, so equal
 * lists have equal blocks after any batches, and a change rewrites one block. Ids may be sparse.
 */

/** Key of the block with the ids before the first block start. */
export const firstBlock = 0;

/** Whether a block starts at an id, as at one id in `mean`. */
export const isBlockStart = (id: number, mean: number): boolean => hashInteger(id) % mean === 0;

/** Finds the greatest key of a stored block at or before an id. */
export const seekBlock = (
  stored: Pick<ReadTables, "keys">,
  table: Table<number, unknown>,
  id: number,
): number => {
  for (const key of stored.keys(table, { start: id, reverse: true, limit: 1 })) return key;
  return firstBlock;
};

/** Finds the greatest key of a row of a posting list at or before an id. */
export const seekPostingBlock = (
  stored: Pick<ReadTables, "keys">,
  listKey: string,
  id: number,
): number => {
  const range = { start: [listKey, id], end: [listKey], reverse: true, limit: 1 } as const;
  for (const [, key] of stored.keys(tables.postingBlocks, range)) return key;
  return firstBlock;
};
