import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Database, Key as LmdbKey } from "lmdb";
import { messageOf, VitrineError } from "../../errors.ts";
import { type Environment, openEnvironment, readStats } from "../../lmdb/environment.ts";
import { isCorruption } from "../../lmdb/error-codes.ts";
import { markIntact } from "../../lmdb/intact-marker.ts";
import { decode, encode } from "../schema/codec.ts";
import type { RevocationFloor } from "../schema/rows.ts";
import { damagedOperatorState } from "./directory.ts";
import type { StoredDiscard } from "./rows.ts";

type OperatorKey = string | readonly (string | number)[];

/** A table of the operator state. Each row carries a checksum, as in `schema/codec.ts`. */
interface OperatorTable<K extends OperatorKey, V> {
  get(key: K): V | undefined;
  /** Reads rows sorted by key. */
  entries(range?: { readonly start: K; readonly end: K }): Iterable<readonly [K, V]>;
  /** Only within `write`. */
  put(key: K, value: V): void;
  /** Only within `write`. */
  remove(key: K): void;
  /** Returns the number of rows that LMDB's metadata states. */
  count(): number;
}

export interface OperatorTables {
  /** maps label to its revocation floor */
  readonly revocations: OperatorTable<string, RevocationFloor>;
  /** maps name of a log, sequence to the discard of the event at that sequence */
  readonly discards: OperatorTable<readonly [string, number], StoredDiscard>;
  /** maps `layout` to the version of the stored form; a file that lost its content lacks this row */
  readonly meta: OperatorTable<"layout", number>;
  /** Drops the read transaction, so that the next read sees the latest commit. */
  refresh(): void;
  /** Commits all writes of `work` or none, durable on return. */
  write(work: () => void): void;
  /** Frees reader slots of dead processes. */
  reclaimReaders(): void;
  close(): Promise<void>;
}

const operatorLayout = 1;

/**
 * Opens the tables in a directory.
 * @throws `operator_state_damaged` when the file is damaged or absent; `not_writable` when it cannot be opened
 */
export const openOperatorTables = (directory: string, readOnly: boolean): OperatorTables => {
  // LMDB would create a missing file, without rows.
  if (!existsSync(join(directory, "data.mdb"))) {
    throw damagedOperatorState(directory, "it holds no data.mdb");
  }
  const tables = open(directory, readOnly);
  try {
    if (tables.meta.get("layout") === operatorLayout) return tables;
    throw damagedOperatorState(directory, "it does not state the format of its rows");
  } catch (error) {
    void tables.close();
    throw error;
  }
};

export const createOperatorTables = (directory: string): OperatorTables => {
  const tables = open(directory, false);
  tables.write(() => tables.meta.put("layout", operatorLayout));
  return tables;
};

const open = (directory: string, readOnly: boolean): OperatorTables => {
  const env = openEnvironmentIn(directory, readOnly);
  /** Whether the latest write succeeded, and no damage was met since: the file is intact then. */
  let hasWritten = false;
  const damaged = (reason: string, cause?: unknown): VitrineError => {
    hasWritten = false;
    return damagedOperatorState(directory, reason, cause);
  };
  const mapCorruption = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (!isCorruption(error)) throw error;
      throw damaged(messageOf(error), error);
    }
  };
  const openTable = <K extends OperatorKey, V>(name: string): OperatorTable<K, V> => {
    const database = env.root.openDB<Buffer, LmdbKey>({ name, encoding: "binary" });
    return createTable(name, database, mapCorruption, damaged);
  };
  try {
    return {
      ...env.openDatabases(() => ({
        revocations: openTable<string, RevocationFloor>("revocations"),
        discards: openTable<readonly [string, number], StoredDiscard>("discards"),
        meta: openTable<"layout", number>("meta"),
      })),
      refresh: () => env.root.resetReadTxn(),
      write(work) {
        hasWritten = false;
        mapCorruption(() => env.write(work));
        hasWritten = true;
      },
      reclaimReaders: () => void env.root.readerCheck(),
      async close() {
        await env.close();
        if (hasWritten) markIntact(directory);
      },
    };
  } catch (cause) {
    void env.close();
    throw cause instanceof VitrineError ? cause : unusable(directory, cause);
  }
};

const openEnvironmentIn = (directory: string, readOnly: boolean): Environment<Buffer, LmdbKey> => {
  try {
    return openEnvironment({ path: directory, readOnly, encoding: "binary" });
  } catch (cause) {
    throw unusable(directory, cause);
  }
};

const unusable = (directory: string, cause: unknown): VitrineError =>
  isCorruption(cause)
    ? damagedOperatorState(directory, messageOf(cause), cause)
    : new VitrineError(
        "not_writable",
        `cannot open the operator state ${directory}: ${messageOf(cause)}`,
        "check that this user may write in it, and that its disk has room",
        cause,
      );

type MapCorruption = <T>(work: () => T) => T;

/** @param database undefined for a table that does not exist, which a read-only environment cannot open */
const createTable = <K extends OperatorKey, V>(
  name: string,
  database: Database<Buffer, LmdbKey> | undefined,
  mapCorruption: MapCorruption,
  damaged: (reason: string) => VitrineError,
): OperatorTable<K, V> => {
  if (!database) throw damaged(`the table "${name}" cannot be found`);
  const decodeValue = (key: K, record: Buffer): V => {
    try {
      return decode(key, record, name) as V;
    } catch {
      throw damaged(`a record of the table "${name}" is not what was written`);
    }
  };
  return {
    get(key) {
      const record = mapCorruption(() => database.get(key as LmdbKey));
      return record && decodeValue(key, record);
    },
    entries: (range = undefined) =>
      mapCorruption(() =>
        [...database.getRange(range as object | undefined)].map(
          ({ key, value }) =>
            [key as unknown as K, decodeValue(key as unknown as K, value)] as const,
        ),
      ),
    put: (key, value) => void database.putSync(key as LmdbKey, encode(key, value)),
    remove: (key) => void database.removeSync(key as LmdbKey),
    count: () => readStats(database).entryCount,
  };
};
