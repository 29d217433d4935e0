import { openEnvironment } from "../lmdb/environment.ts";
import { type TableName, tables } from "./tables.ts";

export interface TableSize {
  readonly rows: number;
  /** Of the pages its rows stand in. */
  readonly bytes: number;
}

export type TableSizes = Readonly<Record<TableName, TableSize>>;

/** What LMDB itself counts: nothing is read but the roots of the tables, at any size. */
export const tableSizes = async (generation: string): Promise<TableSizes> => {
  const env = openEnvironment<Buffer, string>({
    path: generation,
    readOnly: true,
    maxDbs: 40,
    encoding: "binary",
  });
  try {
    const sizes = Object.entries(tables).map(([key, { name }]) => [
      key,
      sizeOf(env.root.openDB({ name, encoding: "binary" })),
    ]);
    return Object.fromEntries(sizes);
  } finally {
    await env.close();
  }
};

interface Counted {
  getStats(): object;
}

/** A database opened for reading has no handle for a table that was never made. */
const sizeOf = (database: Counted | undefined): TableSize => {
  if (!database) return { rows: 0, bytes: 0 };
  const stats = database.getStats() as Stats;
  const pages = stats.treeBranchPageCount + stats.treeLeafPageCount + stats.overflowPages;
  return { rows: stats.entryCount, bytes: pages * stats.pageSize };
};

interface Stats {
  readonly pageSize: number;
  readonly entryCount: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}
