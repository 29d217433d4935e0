import type { Tables, WritableTables } from "../read-model/store.ts";
import { type Table, tables } from "../read-model/tables.ts";

/** Rows of one table as a batch sees them: read once, changed in memory, written once. */
export interface BatchTable<K extends string | number, V> {
  get(key: K): V | undefined;
  /** The row as it was before the batch; only for keys the batch has asked for. */
  before(key: K): V | undefined;
  put(key: K, value: V): void;
  /** Forgets the row: it is gone after the batch. */
  remove(key: K): void;
  /** Keys changed in this batch. */
  changed(): ReadonlySet<K>;
  flush(writable: WritableTables): void;
}

/** Bursts of events about one entity then cost one read and one write. */
const batchTable = <K extends string | number, V>(
  stored: Tables,
  table: Table<K, V>,
): BatchTable<K, V> => {
  const before = new Map<K, V | undefined>();
  const rows = new Map<K, V | undefined>();
  const changed = new Set<K>();
  const read = (key: K): void => {
    if (before.has(key)) return;
    const row = stored.get(table, key);
    before.set(key, row);
    rows.set(key, row);
  };
  const change = (key: K, value: V | undefined): void => {
    read(key);
    rows.set(key, value);
    changed.add(key);
  };
  return {
    get(key) {
      read(key);
      return rows.get(key);
    },
    before: (key) => before.get(key),
    put: change,
    remove: (key) => change(key, undefined),
    changed: () => changed,
    flush(writable) {
      for (const key of changed) {
        const row = rows.get(key);
        if (row === undefined) writable.remove(table, key);
        else writable.put(table, key, row);
      }
    },
  };
};

/** Every table an event folds into, as one batch sees it. */
export const openBatch = (stored: Tables) => ({
  cores: batchTable(stored, tables.cores),
  prices: batchTable(stored, tables.prices),
  stocks: batchTable(stored, tables.stocks),
  texts: batchTable(stored, tables.texts),
  categoryStates: batchTable(stored, tables.categoryStates),
  pages: batchTable(stored, tables.pages),
  carriers: batchTable(stored, tables.carriers),
  settings: batchTable(stored, tables.settings),
  robots: batchTable(stored, tables.robots),
  agents: batchTable(stored, tables.agents),
});

export type Batch = ReturnType<typeof openBatch>;

export const flushBatch = (batch: Batch, writable: WritableTables): void => {
  for (const table of Object.values(batch)) table.flush(writable);
};
