import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type Database,
  type Key as LmdbKey,
  open,
  type RangeOptions,
  type RootDatabase,
} from "lmdb";
import { messageOf, VitrineError } from "../errors.ts";
import { decode, decodeText, encode } from "./codec.ts";
import {
  type Key,
  type OwnTable,
  ownTables,
  type Table,
  type TableName,
  tables,
} from "./tables.ts";

export interface Range<K> {
  readonly start?: K;
  readonly end?: K;
  readonly limit?: number;
  readonly reverse?: boolean;
}

/** Typed access to the tables of one generation. Reads see the open transaction, if there is one. */
export interface Tables {
  get<K extends Key, V>(table: Table<K, V>, key: K): V | undefined;
  /** The JSON of a value, each of its UTF-8 bytes as one character (latin1): to be copied into an answer as it is. */
  text<K extends Key, V>(table: Table<K, V>, key: K): string | undefined;
  has<K extends Key, V>(table: Table<K, V>, key: K): boolean;
  /** Keys in order; `end` is excluded. Finish or break the iteration before anything is awaited. */
  keys<K extends Key, V>(table: Table<K, V>, range?: Range<Key>): Iterable<K>;
  entries<K extends Key, V>(table: Table<K, V>, range?: Range<Key>): Iterable<[K, V]>;
}

export interface WritableTables extends Tables {
  put<K extends Key, V>(table: Table<K, V>, key: K, value: V): void;
  remove<K extends Key, V>(table: Table<K, V>, key: K): void;
}

/** SHA-256 in hex of each table that equal models have in common. */
export type Digest = Readonly<Record<Exclude<TableName, OwnTable>, string>>;

/** One generation's environment: many lock-free readers, one writer. */
export interface Store extends Tables {
  readonly directory: string;
  /** Drops the read transaction, so that the next read sees the newest commit. */
  refresh(): void;
  /** All or nothing, durable on return. `write` must not await. */
  transaction<T>(write: (tables: WritableTables) => T): T;
  /** Equal models have equal digests, table by table. */
  digest(): Digest;
  /** Frees slots of readers that died; call it now and then while a writer runs. */
  reclaimReaders(): void;
  close(): Promise<void>;
}

const setValue = Buffer.alloc(0);

/**
 * Opens a generation. Settings are the ones whose crash behaviour is known: `overlappingSync` off, so that a
 * commit is durable and a reader that opens first after a power cut sees whole pages.
 * @throws `data_dir` when the directory cannot be used.
 */
export const openStore = (directory: string, options: { readonly readOnly: boolean }): Store => {
  if (options.readOnly && !existsSync(join(directory, "data.mdb"))) {
    throw new VitrineError("data_dir", `${directory} holds no read model`);
  }
  const env = openEnvironment(directory, options.readOnly);
  const databases = new Map<string, Database<Buffer, LmdbKey>>();
  for (const { name } of Object.values(tables)) {
    databases.set(name, env.openDB({ name, encoding: "binary" }));
  }
  return storeOf(env, databases, directory);
};

const openEnvironment = (directory: string, readOnly: boolean): RootDatabase<Buffer, LmdbKey> => {
  try {
    return open<Buffer, LmdbKey>({
      path: directory,
      noSubdir: false,
      readOnly,
      overlappingSync: false,
      maxReaders: 2048,
      maxDbs: 40,
      encoding: "binary",
    });
  } catch (cause) {
    throw new VitrineError(
      "data_dir",
      `cannot open the read model in ${directory}: ${messageOf(cause)}`,
      "check that the directory exists and that this user may write in it",
      cause,
    );
  }
};

const storeOf = (
  env: RootDatabase<Buffer, LmdbKey>,
  databases: ReadonlyMap<string, Database<Buffer, LmdbKey>>,
  directory: string,
): Store => {
  const of = (table: { readonly name: string }): Database<Buffer, LmdbKey> => {
    const database = databases.get(table.name);
    if (!database) throw new Error(`no table ${table.name}`);
    return database;
  };
  const valueOf = (table: { name: string; kind: string }, record: Buffer): unknown =>
    table.kind === "set" ? true : decode(record, table.name);
  const readable: Tables = {
    get<K extends Key, V>(table: Table<K, V>, key: K) {
      // A generation that an older version wrote lacks the tables that came later.
      const record = databases.get(table.name)?.getBinaryFast(key as LmdbKey);
      return record === undefined ? undefined : (valueOf(table, record) as V);
    },
    text(table, key) {
      const record = of(table).getBinaryFast(key as LmdbKey);
      return record === undefined ? undefined : decodeText(record, table.name);
    },
    has: (table, key) => of(table).doesExist(key as LmdbKey),
    keys: <K extends Key, V>(table: Table<K, V>, range: Range<Key> = {}) =>
      of(table).getKeys(range as RangeOptions) as Iterable<unknown> as Iterable<K>,
    *entries<K extends Key, V>(table: Table<K, V>, range: Range<Key> = {}) {
      for (const { key, value } of of(table).getRange(range as RangeOptions)) {
        yield [key as unknown as K, valueOf(table, value) as V];
      }
    },
  };
  const writable: WritableTables = {
    ...readable,
    put(table, key, value) {
      of(table).putSync(key as LmdbKey, table.kind === "set" ? setValue : encode(value));
    },
    remove(table, key) {
      of(table).removeSync(key as LmdbKey);
    },
  };
  return {
    ...readable,
    directory,
    refresh: () => env.resetReadTxn(),
    transaction: (write) => env.transactionSync(() => write(writable)),
    digest: () => digestOf(of),
    reclaimReaders: () => void env.readerCheck(),
    async close() {
      // Closing in the tick of a synchronous transaction waits for ever; `flushed` is the way out of that tick.
      await env.flushed;
      await env.close();
    },
  };
};

const digestOf = (of: (table: { readonly name: string }) => Database<Buffer, LmdbKey>): Digest => {
  const compared = Object.entries(tables).filter(([name]) => !ownTables.has(name));
  const digests = compared.map(([name, table]) => {
    const hash = createHash("sha256");
    for (const { key, value } of of(table).getRange({})) {
      hash.update(JSON.stringify(key)).update("\0").update(value).update("\n");
    }
    return [name, hash.digest("hex")] as const;
  });
  return Object.fromEntries(digests) as Digest;
};
