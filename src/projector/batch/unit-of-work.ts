import { type Table, tables } from "../../read-model/schema/tables.ts";
import type { Tables, WritableTables } from "../../read-model/store/store.ts";

/** Rows of one table as a batch sees them: read once, changed in memory, written once. */
export interface BatchTable<K extends string | number, V> {
  get(key: K): V | undefined;
  /** The row as it was before the batch. */
  before(key: K): V | undefined;
  put(key: K, value: V): void;
  /** Forgets the row: it is gone after the batch. */
  remove(key: K): void;
  /** Keys changed in this batch. */
  changed(): ReadonlySet<K>;
  flush(writable: WritableTables): void;
}

/** A row as it was and as it is. */
interface Held<V> {
  readonly before: V | undefined;
  now: V | undefined;
}

const ascending = (one: string | number, other: string | number): number =>
  one < other ? -1 : one > other ? 1 : 0;

/** Bursts of events about one entity then cost one read and one write. */
const batchTable = <K extends string | number, V>(
  stored: Tables,
  table: Table<K, V>,
): BatchTable<K, V> => {
  const rows = new Map<K, Held<V>>();
  const changed = new Set<K>();
  const held = (key: K): Held<V> => {
    const known = rows.get(key);
    if (known) return known;
    const before = stored.get(table, key);
    const read = { before, now: before };
    rows.set(key, read);
    return read;
  };
  const change = (key: K, value: V | undefined): void => {
    held(key).now = value;
    changed.add(key);
  };
  return {
    get: (key) => held(key).now,
    before: (key) => held(key).before,
    put: change,
    remove: (key) => change(key, undefined),
    changed: () => changed,
    flush(writable) {
      // In the order of keys, so that the store's pages are visited once each.
      for (const key of [...changed].sort(ascending)) {
        const row = rows.get(key)?.now;
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
