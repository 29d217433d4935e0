import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Database, Key as LmdbKey, RootDatabase } from "lmdb";
import { messageOf, VitrineError } from "../../errors.ts";
import { type Environment, openEnvironment } from "../../lmdb/environment.ts";
import { isOfDamage, isOfFile } from "../../lmdb/error-codes.ts";
import { watchWrites } from "../integrity/write-failures.ts";
import { type ComparedName, formerTables, type Key, type Table, tables } from "../schema/tables.ts";
import { digestOf } from "./digest.ts";
import { type Lending, readTables, rowsOf, type TableOf, writeTables } from "./typed-tables.ts";

export interface Range<K> {
  readonly start?: K;
  readonly end?: K;
  readonly limit?: number;
  readonly reverse?: boolean;
}

/** Products that stand side by side. */
export interface Stretch {
  readonly ids: readonly number[];
  readonly texts: readonly string[];
}

/** Typed access to the tables of one generation. Reads see the open transaction, if there is one. */
export interface Tables {
  /** The value of a `bytes` table is lent: it is another one after the next look-up. */
  get<K extends Key, V>(table: Table<K, V>, key: K): V | undefined;
  /** The JSON of a value, each of its UTF-8 bytes as one character (latin1): to be copied into an answer as it is. */
  text<K extends Key, V>(table: Table<K, V>, key: K): string | undefined;
  /** Products in order of ids, each as `text` gives it. */
  stretch(range: Range<number>): Stretch;
  has<K extends Key, V>(table: Table<K, V>, key: K): boolean;
  /** What to throw where a row that another one names is not there. It makes the generation suspect. */
  lost<K extends Key, V>(table: Table<K, V>, key: K): VitrineError;
  /** Keys in order; `end` is excluded. Finish or break the iteration before anything is awaited. */
  keys<K extends Key, V>(table: Table<K, V>, range?: Range<Key>): Iterable<K>;
  /** Values of a `bytes` table are lent, each until the next. */
  entries<K extends Key, V>(table: Table<K, V>, range?: Range<Key>): Iterable<[K, V]>;
}

export interface WritableTables extends Tables {
  put<K extends Key, V>(table: Table<K, V>, key: K, value: V): void;
  remove<K extends Key, V>(table: Table<K, V>, key: K): void;
}

/**
 * One moment of a generation, held over as many turns as a walk takes. The file of a generation that is written to
 * grows meanwhile: let go of it soon.
 */
export interface Pinned extends Tables {
  /** Every row as it is stored, by key. */
  rows(table: { readonly name: string }): Iterable<readonly [key: Key, record: Buffer]>;
  /** False once it was released, be it because the generation was closed: nothing can be read of it then. */
  isHeld(): boolean;
  /** May be told more than once. */
  release(): void;
}

export interface TableSize {
  readonly rows: number;
  /** Of the pages its rows stand in. */
  readonly bytes: number;
}

/** SHA-256 in hex of each table that events tell of. */
export type Digest = Readonly<Record<ComparedName, string>>;

/** One generation's environment: many lock-free readers, one writer. */
export interface Store extends Tables {
  readonly directory: string;
  /** Drops the read transaction, so that the next read sees the newest commit. */
  refresh(): void;
  /** Holds the newest commit for a long walk, or the one that is being read, which stays that for others then. */
  pin(which?: "newest" | "read"): Pinned;
  /**
   * All or nothing, durable on return. `write` must not await.
   * @throws `reopen` when only another process can write again
   */
  transaction<T>(write: (tables: WritableTables) => T): T;
  /** Equal models have equal digests, table by table. */
  digest(): Digest;
  /** Bytes the file has by its own account. */
  bytes(): number;
  /** Rows a table has by its own account. */
  rows(table: { readonly name: string }): number;
  /** What LMDB counts of a table: nothing is read but its root, at any size. */
  size(table: { readonly name: string }): TableSize;
  /** Names of all tables of the file, of whatever version, and how many there are by its own account. */
  names(): { readonly names: readonly string[]; readonly count: number };
  /** False for a table that an earlier version, which wrote this generation, did not know. */
  exists(table: { readonly name: string }): boolean;
  /** Frees slots of readers that died; call it now and then while a writer runs. */
  reclaimReaders(): void;
  close(): Promise<void>;
}

/**
 * Opens a generation.
 * @throws `no_model`; `not_writable` when the directory or its file cannot be used; a bug as it is
 */
export const openStore = (directory: string, options: { readonly readOnly: boolean }): Store => {
  if (options.readOnly && !existsSync(join(directory, "data.mdb"))) {
    throw new VitrineError("no_model", `${directory} holds no read model`);
  }
  try {
    const env = openEnvironment<Buffer, LmdbKey>({
      path: directory,
      readOnly: options.readOnly,
      maxDbs: 40,
      encoding: "binary",
    });
    const opened = env.databases(() => openTables(env.root));
    return storeOf(env, opened, directory);
  } catch (cause) {
    if (!isOfFile(cause)) throw cause;
    if (isOfDamage(cause)) {
      throw new VitrineError(
        "model_damaged",
        `the read model in ${directory} is damaged: ${messageOf(cause)}`,
        "start vitrine serve: it sets it aside and makes a new one from the event log",
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

const openTables = (root: Root): Opened => {
  const there = new Set<unknown>(root.getKeys());
  // Those of earlier versions are read where they are there, and never made.
  const former = Object.values(formerTables).filter(({ name }) => there.has(name));
  const all = [...Object.values(tables), ...former].map(
    ({ name }) => [name, root.openDB<Buffer, LmdbKey>({ name, encoding: "binary" })] as const,
  );
  return { databases: new Map(all), lending: lendingOf(root) };
};

/** The table of which whole stretches are shown, in a form that lends its rows: to copy each takes longer than to walk. */
const lendingOf = (root: Root): Lending => {
  const encoder = { encode: (row: Buffer) => row, decode: (row: Buffer) => row };
  // The types leave out that an encoder may be given.
  const options = Object.assign({ name: tables.products.name }, { encoder });
  return root.openDB<Buffer, LmdbKey>(options);
};

interface Opened {
  readonly databases: ReadonlyMap<string, Database<Buffer, LmdbKey>>;
  readonly lending: Lending;
}

type Root = RootDatabase<Buffer, LmdbKey>;

const storeOf = (
  env: Environment<Buffer, LmdbKey>,
  { databases, lending }: Opened,
  directory: string,
): Store => {
  const { root } = env;
  const of: TableOf = (table) => databases.get(table.name);
  const writes = watchWrites(directory);
  const readable = readTables(of, lending, directory);
  const pins = new Set<Pinned>();
  return {
    ...readable,
    directory,
    refresh: () => root.resetReadTxn(),
    pin(which = "newest") {
      if (which === "newest") root.resetReadTxn();
      const transaction = root.useReadTransaction();
      const pin: Pinned = {
        ...readTables(of, lending, directory, transaction),
        *rows(table) {
          for (const { key, value } of rowsOf(of, table, { transaction }))
            yield [key as Key, value];
        },
        isHeld: () => pins.has(pin),
        release() {
          if (pins.delete(pin)) transaction.done();
        },
      };
      pins.add(pin);
      return pin;
    },
    transaction(write) {
      try {
        const result = env.write(() => write(writeTables(of, readable)));
        writes.succeeded();
        return result;
      } catch (error) {
        throw writes.failed(error);
      }
    },
    digest: () => digestOf(of),
    bytes: () => bytesOf(root.getStats() as Stats),
    rows: (table) => sizeOf(of(table)?.getStats() as Stats | undefined).rows,
    size: (table) => sizeOf(of(table)?.getStats() as Stats | undefined),
    names: () => ({
      names: [...root.getKeys()] as string[],
      count: (root.getStats() as Stats).entryCount,
    }),
    exists: ({ name }) => databases.get(name) !== undefined,
    reclaimReaders: () => void root.readerCheck(),
    async close() {
      for (const pin of pins) pin.release();
      await env.close();
    },
  };
};

/** What lmdb tells, which its types leave open. */
interface Stats {
  readonly pageSize: number;
  readonly lastPageNumber: number;
  readonly entryCount: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

/** A database opened for reading has no handle for a table that was never made. */
const sizeOf = (stats: Stats | undefined): TableSize => {
  if (!stats) return { rows: 0, bytes: 0 };
  const pages = stats.treeBranchPageCount + stats.treeLeafPageCount + stats.overflowPages;
  return { rows: stats.entryCount, bytes: pages * stats.pageSize };
};

const bytesOf = ({ pageSize, lastPageNumber }: Stats): number => pageSize * (lastPageNumber + 1);
