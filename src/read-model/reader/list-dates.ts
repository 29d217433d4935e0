import { type DatedList, pastEveryId, tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";

/** The owner of lists that are of the whole shop. */
export const shopLists = 0;

/** When a list last changed, in milliseconds since 1970; 0 for one that never had a member. */
export const listDate = (stored: Tables, list: DatedList, owner: number = shopLists): number => {
  const range = { start: [list, owner, pastEveryId], end: [list, owner], reverse: true, limit: 1 };
  for (const [, , time] of stored.keys(tables.listDates, range)) return time;
  return 0;
};

/** Members of a list, those that left it among them, each with when it came, left or changed there. */
export function* listMembers(
  stored: Tables,
  list: DatedList,
  owner: number,
): Generator<readonly [id: number, time: number]> {
  const range = { start: [list, owner], end: [list, owner, pastEveryId] };
  for (const [, , time, id] of stored.keys(tables.listDates, range)) yield [id, time];
}
