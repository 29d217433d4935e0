import { tables } from "../../src/read-model/schema/tables.ts";
import type { Store } from "../../src/read-model/store/store.ts";

/** Tables that each batch writes, whatever it changed. */
const ofEachBatch: ReadonlySet<string> = new Set(["meta", "commitNumber", "changeLog"]);

/** Measures the bytes of the rows that some work writes in a small store. */
export const changedBytes = (store: Store, work: () => void): number => {
  const before = readRows(store);
  work();
  store.refresh();
  let bytes = 0;
  for (const [key, record] of readRows(store)) {
    if (!before.get(key)?.equals(record)) bytes += record.length;
  }
  return bytes;
};

const readRows = (store: Store): ReadonlyMap<string, Buffer> => {
  const pinned = store.pin();
  const rows = new Map<string, Buffer>();
  for (const table of Object.values(tables)) {
    if (ofEachBatch.has(table.name)) continue;
    for (const [key, record] of pinned.rows(table)) {
      rows.set(`${table.name} ${JSON.stringify(key)}`, Buffer.from(record));
    }
  }
  pinned.release();
  return rows;
};
