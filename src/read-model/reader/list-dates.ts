import { type DatedList, pastEveryId, tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";

/** Owner id of the shop's own lists. */
export const shopLists = 0;

/** Reads when a list last changed, in milliseconds since 1970; 0 for a list that never had a member. */
export const listDate = (stored: Tables, list: DatedList, owner: number = shopLists): number => {
  const range = { start: [list, owner, pastEveryId], end: [list, owner], reverse: true, limit: 1 };
  for (const [, , time] of stored.keys(tables.listDates, range)) return time;
  return 0;
};

/** Reads current and past members of a list, each with a time (ms since 1970) at which it joined, left or changed. */
export function* listMembers(
  stored: Tables,
  list: DatedList,
  owner: number,
): Generator<readonly [id: number, time: number]> {
  const range = { start: [list, owner], end: [list, owner, pastEveryId] };
  for (const [, , time, id] of stored.keys(tables.listDates, range)) yield [id, time];
}
