import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Database, Key as LmdbKey } from "lmdb";
import { messageOf, VitrineError } from "../../errors.ts";
import { type Environment, openEnvironment } from "../../lmdb/environment.ts";
import { isOfDamage } from "../../lmdb/error-codes.ts";
import { decode, encode } from "../schema/codec.ts";
import { damagedOperatorState } from "./directory.ts";
import type { Withdrawn } from "./revocation-floor.ts";
import type { StoredDiscard } from "./rows.ts";

/** A table of the operator state. Each row carries a checksum, as those of a generation do. */
export interface OperatorTable<K extends string | readonly (string | number)[], V> {
  get(key: K): V | undefined;
  /** Rows in the order of keys. */
  entries(range?: { readonly start: K; readonly end: K }): Iterable<readonly [K, V]>;
  /** Only within `write`. */
  put(key: K, value: V): void;
  /** Only within `write`. */
  remove(key: K): void;
  /** Rows by LMDB's own account. */
  count(): number;
}

/** The open tables of the operator state. */
export interface OperatorTables {
  /** Maps a label to which of its tokens are dead. */
  readonly revocations: OperatorTable<string, Withdrawn>;
  /** Maps name of a log, sequence to the discard of the event there. */
  readonly discards: OperatorTable<readonly [string, number], StoredDiscard>;
  /** Maps `layout` to the form the rows are stored in. A file that was emptied lacks it. */
  readonly meta: OperatorTable<"layout", number>;
  /** Drops the read transaction, so that the next read sees the newest commit. */
  refresh(): void;
  /** Commits all of `work` or nothing, durable on return. */
  write(work: () => void): void;
  /** Frees slots of readers that died. */
  reclaimReaders(): void;
  close(): Promise<void>;
}

/** The form of stored rows. */
export const operatorLayout = 1;

/**
 * Opens the tables in a directory.
 * @throws `operator_state_damaged`; `not_writable` when it cannot be opened
 */
export const openOperatorTables = (directory: string, readOnly: boolean): OperatorTables => {
  const tables = openAny(directory, readOnly);
  try {
    if (tables.meta.get("layout") === operatorLayout) return tables;
    throw damagedOperatorState(directory, "it does not say in which form its rows are stored");
  } catch (error) {
    void tables.close();
    throw error;
  }
};

/** Makes the tables in an empty directory. */
export const makeOperatorTables = (directory: string): OperatorTables => {
  const tables = open(directory, false);
  tables.write(() => tables.meta.put("layout", operatorLayout));
  return tables;
};

/** An absent file would be made by LMDB, and be empty. */
const openAny = (directory: string, readOnly: boolean): OperatorTables => {
  if (existsSync(join(directory, "data.mdb"))) return open(directory, readOnly);
  throw damagedOperatorState(directory, "it holds no data.mdb");
};

const open = (directory: string, readOnly: boolean): OperatorTables => {
  const env = openEnvironmentIn(directory, readOnly);
  try {
    const named = (name: string) => env.root.openDB<Buffer, LmdbKey>({ name, encoding: "binary" });
    const [revocations, discards, meta] = env.databases(() => names.map(named));
    return tablesOf(env, directory, { revocations, discards, meta });
  } catch (cause) {
    void env.close();
    throw cause instanceof VitrineError ? cause : unusable(directory, cause);
  }
};

const names = ["revocations", "discards", "meta"] as const;

const openEnvironmentIn = (directory: string, readOnly: boolean): Environment<Buffer, LmdbKey> => {
  try {
    return openEnvironment({ path: directory, readOnly, maxDbs: 4, encoding: "binary" });
  } catch (cause) {
    throw unusable(directory, cause);
  }
};

const unusable = (directory: string, cause: unknown): VitrineError =>
  isOfDamage(cause)
    ? damagedOperatorState(directory, messageOf(cause), cause)
    : new VitrineError(
        "not_writable",
        `cannot open the operator state ${directory}: ${messageOf(cause)}`,
        "check that this user may write in it, and that its disk has room",
        cause,
      );

/** A database opened for reading has no handle for a table that was never made. */
type Opened = Readonly<Record<(typeof names)[number], Database<Buffer, LmdbKey> | undefined>>;

const tablesOf = (
  env: Environment<Buffer, LmdbKey>,
  directory: string,
  { revocations, discards, meta }: Opened,
): OperatorTables => {
  const tell = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (!isOfDamage(error)) throw error;
      throw damagedOperatorState(directory, messageOf(error), error);
    }
  };
  return {
    revocations: tableOf(directory, "revocations", revocations, tell),
    discards: tableOf(directory, "discards", discards, tell),
    meta: tableOf(directory, "meta", meta, tell),
    refresh: () => env.root.resetReadTxn(),
    write: (work) => tell(() => env.write(work)),
    reclaimReaders: () => void env.root.readerCheck(),
    close: () => env.close(),
  };
};

type Tell = <T>(work: () => T) => T;

const tableOf = <K extends string | readonly (string | number)[], V>(
  directory: string,
  name: string,
  database: Database<Buffer, LmdbKey> | undefined,
  tell: Tell,
): OperatorTable<K, V> => {
  if (!database) throw damagedOperatorState(directory, `the table "${name}" cannot be found`);
  const valueOf = (key: K, record: Buffer): V => {
    try {
      return decode(key, record, name) as V;
    } catch {
      throw damagedOperatorState(
        directory,
        `a record of the table "${name}" is not what was written`,
      );
    }
  };
  return {
    get(key) {
      const record = tell(() => database.get(key as LmdbKey));
      return record && valueOf(key, record);
    },
    entries: (range = undefined) =>
      tell(() =>
        [...database.getRange(range as object | undefined)].map(
          ({ key, value }) => [key as unknown as K, valueOf(key as unknown as K, value)] as const,
        ),
      ),
    put: (key, value) => void database.putSync(key as LmdbKey, encode(key, value)),
    remove: (key) => void database.removeSync(key as LmdbKey),
    count: () => (database.getStats() as { readonly entryCount: number }).entryCount,
  };
};
