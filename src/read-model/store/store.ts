import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Database, Key as LmdbKey, RootDatabase } from "lmdb";
import { messageOf, VitrineError } from "../../errors.ts";
import {
  type Environment,
  openEnvironment,
  readStats,
  statedFileBytes,
} from "../../lmdb/environment.ts";
import { isCorruption, isFileError } from "../../lmdb/error-codes.ts";
import { markIntact } from "../../lmdb/intact-marker.ts";
import type { Key } from "../schema/codec.ts";
import { legacyTables, type TableName, tables } from "../schema/tables.ts";
import { readFlag } from "./damage-flag.ts";
import { computeDigest, type Digest } from "./digest.ts";
import {
  createReadTables,
  type DatabaseOf,
  isReadWithoutCopy,
  readStoredRows,
} from "./read-tables.ts";
import type { ReadTables, WritableTables } from "./table-access.ts";
import { createWriteTables, trackWriteFailures } from "./write-tables.ts";

export type { Digest } from "./digest.ts";
export { type ReadTables, readCheckpoint, type WritableTables } from "./table-access.ts";

/**
 * A read snapshot of a generation that stays valid across turns of the event loop. Release it soon: LMDB reuses no page
 * that a snapshot may read, so the file of a generation that is written to grows.
 */
export interface PinnedSnapshot extends ReadTables {
  rows(table: { readonly name: string }): Iterable<readonly [key: Key, record: Buffer]>;
  /** Returns false after `release`, which `Store.close` also calls; reading is not allowed then. */
  isOpen(): boolean;
  /** Ends the read transaction; repeated calls do nothing. */
  release(): void;
}

export interface TableSize {
  readonly rows: number;
  readonly bytes: number;
}

export type TableSizes = Readonly<Record<TableName, TableSize>>;

/** The LMDB environment of one generation: many lock-free readers, one writer. */
export interface Store extends ReadTables {
  readonly directory: string;
  /** Drops the read transaction, so that the next read sees the latest commit. */
  refresh(): void;
  /** Pins the latest commit, or with `read` the commit of the current read transaction, which other reads keep using. */
  pin(which?: "newest" | "read"): PinnedSnapshot;
  /**
   * Commits all writes of `write` or none, durable on return. `write` must not await.
   * @throws `reopen` when only another process can write again
   */
  transaction<T>(write: (tables: WritableTables) => T): T;
  /** Computes a digest per table; equal models have equal digests. */
  digest(): Digest;
  bytes(): number;
  /** Returns the number of rows that LMDB's metadata states. */
  rows(table: { readonly name: string }): number;
  /** Returns the sizes of all tables from LMDB's metadata, which reads only their root pages. */
  sizes(): TableSizes;
  /** Returns the names of all tables of the file, of any version, and their number that LMDB's metadata states. */
  names(): { readonly names: readonly string[]; readonly count: number };
  /** Returns false for a table that is absent, because an earlier version wrote this generation. */
  exists(table: { readonly name: string }): boolean;
  /** Frees reader slots of dead processes; call it regularly while a writer runs. */
  reclaimReaders(): void;
  close(): Promise<void>;
}

/**
 * Opens a generation.
 * @throws `no_model` when there is none; `model_damaged` when LMDB finds damage; `not_writable` when the directory or its
 * file cannot be used; any other error unchanged
 */
export const openStore = (directory: string, options: { readonly readOnly: boolean }): Store => {
  if (options.readOnly && !existsSync(join(directory, "data.mdb"))) {
    throw new VitrineError("no_model", `${directory} holds no read model`);
  }
  try {
    const env = openEnvironment<Buffer, LmdbKey>({
      path: directory,
      readOnly: options.readOnly,
      encoding: "binary",
    });
    const opened = env.openDatabases(() => openTables(env.root));
    return createStore(env, opened, directory, options.readOnly);
  } catch (cause) {
    if (!isFileError(cause)) throw cause;
    if (isCorruption(cause)) {
      throw new VitrineError(
        "model_damaged",
        `the read model in ${directory} is damaged: ${messageOf(cause)}`,
        "start vitrine serve, which quarantines the model and builds a new one from the event log",
        cause,
      );
    }
    throw new VitrineError(
      "not_writable",
      `cannot open the read model in ${directory}: ${messageOf(cause)}`,
      "check that the directory exists, that this user may write in it, and that its disk has room",
      cause,
    );
  }
};

const openTables = (root: Root): OpenDatabases => {
  const existing = new Set<unknown>(root.getKeys());
  // Tables of earlier versions are opened only where they exist, because opening would create them.
  const legacy = Object.values(legacyTables).filter(({ name }) => existing.has(name));
  const all = [...Object.values(tables), ...legacy].map(
    ({ name }) => [name, root.openDB<Buffer, LmdbKey>({ name, encoding: "binary" })] as const,
  );
  const scanned = Object.values(tables).filter(isReadWithoutCopy);
  return {
    databases: new Map(all),
    zeroCopy: new Map(scanned.map(({ name }) => [name, openZeroCopy(root, name)])),
  };
};

/** Opens a table without copying rows, because copying each row takes longer than iterating over them. */
const openZeroCopy = (root: Root, name: string): Database<Buffer, LmdbKey> => {
  const encoder = { encode: (row: Buffer) => row, decode: (row: Buffer) => row };
  // lmdb's types omit the option `encoder`.
  return root.openDB<Buffer, LmdbKey>(Object.assign({ name }, { encoder }));
};

interface OpenDatabases {
  readonly databases: ReadonlyMap<string, Database<Buffer, LmdbKey>>;
  /** The tables of `isReadWithoutCopy`, with records that are valid only until the next read. */
  readonly zeroCopy: ReadonlyMap<string, Database<Buffer, LmdbKey>>;
}

type Root = RootDatabase<Buffer, LmdbKey>;

const createStore = (
  env: Environment<Buffer, LmdbKey>,
  { databases, zeroCopy }: OpenDatabases,
  directory: string,
  readOnly: boolean,
): Store => {
  const { root } = env;
  const database: DatabaseOf = (table) => databases.get(table.name);
  const scanned: DatabaseOf = (table) => zeroCopy.get(table.name);
  const writeFailures = trackWriteFailures(directory);
  const readable = createReadTables(database, scanned, directory);
  const pins = new Set<PinnedSnapshot>();
  return {
    ...readable,
    directory,
    refresh: () => root.resetReadTxn(),
    pin(which = "newest") {
      if (which === "newest") root.resetReadTxn();
      // biome-ignore lint/correctness/useHookAtTopLevel: a method of LMDB, no hook of React
      const transaction = root.useReadTransaction();
      const pin: PinnedSnapshot = {
        ...createReadTables(database, scanned, directory, transaction),
        *rows(table) {
          for (const { key, value } of readStoredRows(database, table, { transaction }))
            yield [key as Key, value];
        },
        isOpen: () => pins.has(pin),
        release() {
          if (pins.delete(pin)) transaction.done();
        },
      };
      pins.add(pin);
      return pin;
    },
    transaction(write) {
      try {
        const result = env.write(() => write(createWriteTables(database, readable)));
        writeFailures.succeeded();
        return result;
      } catch (error) {
        throw writeFailures.failed(error);
      }
    },
    digest: () => computeDigest(database),
    bytes: () => statedFileBytes(root),
    rows: (table) => readTableSize(database(table)).rows,
    sizes: () =>
      Object.fromEntries(
        Object.entries(tables).map(([name, table]) => [name, readTableSize(database(table))]),
      ) as TableSizes,
    names: () => ({
      names: [...root.getKeys()] as string[],
      count: readStats(root).entryCount,
    }),
    exists: ({ name }) => databases.get(name) !== undefined,
    reclaimReaders: () => void root.readerCheck(),
    async close() {
      for (const pin of pins) pin.release();
      await env.close();
      if (!readOnly && !readFlag(directory)) markIntact(directory);
    },
  };
};

/** @param database undefined for a table that does not exist, which a read-only environment cannot open */
const readTableSize = (database: Database<Buffer, LmdbKey> | undefined): TableSize => {
  if (!database) return { rows: 0, bytes: 0 };
  const stats = readStats(database);
  const pages = stats.treeBranchPageCount + stats.treeLeafPageCount + stats.overflowPages;
  return { rows: stats.entryCount, bytes: pages * stats.pageSize };
};
