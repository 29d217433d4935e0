import { type DatedList, idUpperBound, tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";

/** Owner id of the shop's own lists. */
export const shopOwner = 0;

/** Reads when a list last changed, in milliseconds since 1970; 0 for a list that never had a member. */
export const readListDate = (
  stored: ReadTables,
  list: DatedList,
  owner: number = shopOwner,
): number => {
  const start = [list, owner, idUpperBound] as const;
  const range = { start, end: [list, owner], reverse: true, limit: 1 } as const;
  for (const [, , time] of stored.keys(tables.listDates, range)) return time;
  return 0;
};

/** Reads current and past members of a list, each with a time (ms since 1970) at which it joined, left or changed. */
export function* readListMembers(
  stored: ReadTables,
  list: DatedList,
  owner: number,
): Generator<readonly [id: number, time: number]> {
  const range = { start: [list, owner], end: [list, owner, idUpperBound] } as const;
  for (const [, , time, id] of stored.keys(tables.listDates, range)) yield [id, time];
}
