import { type Table, tables } from "../../read-model/schema/tables.ts";
import type { ReadTables, WritableTables } from "../../read-model/store/store.ts";

/** Tracks the rows of one table during a batch: each is read once, changed in memory and written once. */
export interface TrackedTable<K extends string | number, V> {
  get(key: K): V | undefined;
  /** Returns the row before the batch. */
  original(key: K): V | undefined;
  put(key: K, value: V): void;
  remove(key: K): void;
  /** Returns the keys that the batch changed. */
  changedKeys(): ReadonlySet<K>;
  flush(writable: WritableTables): void;
}

/** A row before the batch, and its current version. */
interface TrackedRow<V> {
  readonly original: V | undefined;
  current: V | undefined;
}

const ascending = (one: string | number, other: string | number): number =>
  one < other ? -1 : one > other ? 1 : 0;

/** Creates a tracked table, so that a burst of events about one entity costs one read and one write. */
const trackTable = <K extends string | number, V>(
  stored: ReadTables,
  table: Table<K, V>,
): TrackedTable<K, V> => {
  const rows = new Map<K, TrackedRow<V>>();
  const changedKeys = new Set<K>();
  const load = (key: K): TrackedRow<V> => {
    const loaded = rows.get(key);
    if (loaded) return loaded;
    const original = stored.get(table, key);
    const row = { original, current: original };
    rows.set(key, row);
    return row;
  };
  const change = (key: K, value: V | undefined): void => {
    load(key).current = value;
    changedKeys.add(key);
  };
  return {
    get: (key) => load(key).current,
    original: (key) => load(key).original,
    put: change,
    remove: (key) => change(key, undefined),
    changedKeys: () => changedKeys,
    flush(writable) {
      // Sorted by key, so that LMDB visits each page once.
      for (const key of [...changedKeys].sort(ascending)) {
        const row = rows.get(key)?.current;
        if (row === undefined) writable.remove(table, key);
        else writable.put(table, key, row);
      }
    },
  };
};

/** Opens a unit of work over all tables that events are folded into. */
export const openUnitOfWork = (stored: ReadTables) => ({
  productCores: trackTable(stored, tables.productCores),
  prices: trackTable(stored, tables.prices),
  stocks: trackTable(stored, tables.stocks),
  productTexts: trackTable(stored, tables.productTexts),
  categoryStates: trackTable(stored, tables.categoryStates),
  pages: trackTable(stored, tables.pages),
  carriers: trackTable(stored, tables.carriers),
  settings: trackTable(stored, tables.settings),
  robots: trackTable(stored, tables.robots),
  agents: trackTable(stored, tables.agents),
});

export type UnitOfWork = ReturnType<typeof openUnitOfWork>;

export const flushUnitOfWork = (unit: UnitOfWork, writable: WritableTables): void => {
  for (const table of Object.values(unit)) table.flush(writable);
};
