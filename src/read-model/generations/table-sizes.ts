import { type TableName, tables } from "../schema/tables.ts";
import type { Store, TableSize } from "../store/store.ts";

export type TableSizes = Readonly<Record<TableName, TableSize>>;

/** Reads the sizes of all tables of a generation from LMDB's metadata. */
export const tableSizes = (store: Store): TableSizes => {
  const sizes = Object.entries(tables).map(([key, table]) => [key, store.size(table)]);
  return Object.fromEntries(sizes);
};
