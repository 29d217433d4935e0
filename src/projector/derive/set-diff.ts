import type { Key, Table } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";

/** Makes a key a member of a set table or not. Returns by how much the set grew: 1, 0 or -1. */
export const setMember = <K extends Key>(
  stored: WritableTables,
  table: Table<K, true>,
  key: K,
  member: boolean,
): number => {
  const was = stored.has(table, key);
  if (member && !was) stored.put(table, key, true);
  if (!member && was) stored.remove(table, key);
  return Number(member) - Number(was);
};

/** What left and what joined between two lists without repeats. */
export const replaceMembers = <T>(
  before: readonly T[],
  after: readonly T[],
): readonly [left: T[], joined: T[]] => {
  const [were, are] = [new Set(before), new Set(after)];
  return [before.filter((member) => !are.has(member)), after.filter((member) => !were.has(member))];
};
