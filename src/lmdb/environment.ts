import { close as closeFile, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import * as lmdb from "lmdb";
import { lazy } from "../platform/memo.ts";
import { type CommitMutex, findMutex, mutexName, openMutex } from "./commit-mutex.ts";
import { intactMarkerName } from "./intact-marker.ts";
import { openRawEnvironment, readOnlyFlags, readWriteFlags } from "./native-env.ts";
import { isLockFile } from "./preallocate.ts";

interface EnvironmentOptions extends lmdb.RootDatabaseOptions {
  readonly path: string;
  readonly readOnly: boolean;
}

export interface Environment<V, K extends lmdb.Key> {
  readonly root: lmdb.RootDatabase<V, K>;
  /**
   * Opens the databases of `root`, and creates missing ones unless the environment is read-only. A failure closes the
   * environment.
   */
  openDatabases<T>(open: () => T): T;
  /**
   * Runs one transaction: atomic, and durable on return. Invariant: all writes go through it.
   * @param work must not await
   */
  write<T>(work: () => T): T;
  close(): Promise<void>;
}

/** LMDB's metadata of a database, or of the file for the root; the types of lmdb-js leave it open. */
interface Stats {
  readonly pageSize: number;
  readonly lastPageNumber: number;
  readonly entryCount: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

export const readStats = (database: lmdb.Database<unknown, lmdb.Key>): Stats =>
  database.getStats() as Stats;

/** Returns the bytes of the file that LMDB's metadata states. */
export const statedFileBytes = (root: lmdb.Database<unknown, lmdb.Key>): number => {
  const { pageSize, lastPageNumber } = readStats(root);
  return pageSize * (lastPageNumber + 1);
};

/** Detects files of an environment's directory that contain none of its data. */
export const isAuxiliaryFile = (file: string): boolean =>
  file === mutexName || file === intactMarkerName || isLockFile(file);

/**
 * Opens an LMDB environment, while other processes open it or commit to it. `overlappingSync` is off, so
 * that a commit is durable and the first process after a power cut reads complete pages.
 *
 * Workaround for lmdb-js 3.5.6 (OpenLDAP ITS#9496): `mdb_env_open2` writes the number of the latest commit, which it
 * read some microseconds before, into the lock file. The next commit then undoes a commit in between. Therefore every
 * open and every commit holds the mutex.
 *
 * A process that has an environment open read-only cannot open it for writing: lmdb-js joins the two ("No transaction
 * to renew").
 * @throws the error of LMDB when the environment cannot be opened
 */
export const openEnvironment = <V, K extends lmdb.Key>(
  options: EnvironmentOptions,
): Environment<V, K> => {
  const { path, readOnly } = options;
  if (!readOnly) mkdirSync(path, { recursive: true });
  const mutex = readOnly ? findMutex(path) : openMutex(path);
  let isOpen = false;
  try {
    const root = openGuarded<V, K>(mutex, options);
    isOpen = true;
    const fileDescriptor = keepFileOpen(path);
    const write = <T>(work: () => T): T => commit(root, mutex, work);
    // Closes once only: the system may have given the file descriptor to another file.
    const close = lazy(async (): Promise<void> => {
      // `close` in the tick of a synchronous transaction never returns; awaiting `flushed` leaves that tick.
      await root.flushed;
      await root.close();
      if (fileDescriptor !== undefined) await promisify(closeFile)(fileDescriptor);
      if (!readOnly) mutex?.close();
    });
    return {
      root,
      openDatabases(open) {
        try {
          return readOnly ? open() : write(open);
        } catch (error) {
          // A failure of `close` must not hide why the databases cannot be opened.
          close().catch(() => undefined);
          throw error;
        }
      },
      write,
      close,
    };
  } finally {
    if (readOnly || !isOpen) mutex?.close();
  }
};

/** Maximum number of databases of an environment. */
const maxDbs = 64;

/**
 * Keeps the data file open, so that its last close happens in a thread. Measured: the last close of a removed file
 * frees its memory, 1 ms per 3 MB, which LMDB would do in the event loop.
 */
const keepFileOpen = (path: string): number | undefined => {
  try {
    return openSync(join(path, "data.mdb"), "r");
  } catch {
    return undefined;
  }
};

const openGuarded = <V, K extends lmdb.Key>(
  mutex: CommitMutex | undefined,
  options: EnvironmentOptions,
): lmdb.RootDatabase<V, K> => {
  const settings = {
    noSubdir: false,
    overlappingSync: false,
    maxReaders: 2048,
    maxDbs,
    ...options,
  };
  const release = mutex?.acquire();
  let rawEnvironment: { close(): void } | undefined;
  try {
    rawEnvironment = openRawEnvironment(
      settings,
      options.readOnly ? readOnlyFlags : readWriteFlags,
      readOnlyFlags,
    );
  } finally {
    release?.();
  }
  try {
    // lmdb-js joins the environment that is open already.
    return lmdb.open<V, K>(settings);
  } finally {
    rawEnvironment.close();
  }
};

/** Commits under the mutex. It is acquired after `work`, so that other processes wait for the commit alone. */
const commit = <T>(root: lmdb.RootDatabase, mutex: CommitMutex | undefined, work: () => T): T => {
  let release: (() => void) | undefined;
  try {
    return root.transactionSync(() => {
      const result = work();
      release = mutex?.acquire();
      return result;
    });
  } finally {
    release?.();
  }
};
