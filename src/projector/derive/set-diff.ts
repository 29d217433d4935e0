import type { Key } from "../../read-model/schema/codec.ts";
import type { Table } from "../../read-model/schema/tables.ts";
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

export const putOrRemove = <K extends Key, V>(
  stored: WritableTables,
  table: Table<K, V>,
  key: K,
  value: V | undefined,
): void => {
  if (value === undefined) stored.remove(table, key);
  else stored.put(table, key, value);
};

/** A row before and after a batch; undefined where there is none, or none that is shown. */
export type Change<T> = readonly [before: T | undefined, after: T | undefined];

/**
 * Replaces the keys of one entity in a set table.
 * @returns the keys that were removed and added
 */
export const replaceKeys = <K extends Key, T>(
  stored: WritableTables,
  table: Table<K, true>,
  [before, after]: readonly [before: T, after: T],
  toKeys: (row: T) => readonly K[],
): readonly [removed: readonly K[], added: readonly K[]] => {
  const [removed, added] = diffSets(toKeys(before), toKeys(after), String);
  for (const key of removed) stored.remove(table, key);
  for (const key of added) stored.put(table, key, true);
  return [removed, added];
};

/**
 * Finds the members that were removed and added between two lists without repeats.
 * @param identify returns what equal members have in common
 */
export const diffSets = <T>(
  before: readonly T[],
  after: readonly T[],
  identify: (member: T) => unknown = (member) => member,
): readonly [removed: T[], added: T[]] => {
  const [beforeSet, afterSet] = [new Set(before.map(identify)), new Set(after.map(identify))];
  return [
    before.filter((member) => !afterSet.has(identify(member))),
    after.filter((member) => !beforeSet.has(identify(member))),
  ];
};
