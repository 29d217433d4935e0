import type { Key, Table } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";

/**
 * Adds a key to a set table or removes it.
 * @returns by how much the set grew: 1, 0 or -1
 */
export const setMember = <K extends Key>(
  stored: WritableTables,
  table: Table<K, true>,
  key: K,
  member: boolean,
): number => {
  const wasMember = stored.has(table, key);
  if (member && !wasMember) stored.put(table, key, true);
  if (!member && wasMember) stored.remove(table, key);
  return Number(member) - Number(wasMember);
};

/** Finds the members that were removed and added between two lists without repeats. */
export const diffSets = <T>(
  before: readonly T[],
  after: readonly T[],
): readonly [removed: T[], added: T[]] => {
  const [beforeSet, afterSet] = [new Set(before), new Set(after)];
  return [
    before.filter((member) => !afterSet.has(member)),
    after.filter((member) => !beforeSet.has(member)),
  ];
};
