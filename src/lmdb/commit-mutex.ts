import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { sleepSync } from "../platform/async.ts";
import { isPermissionError } from "./error-codes.ts";
import {
  beginTransaction,
  hasLmdbMagic,
  openRawEnvironment,
  readWriteFlags,
} from "./native-env.ts";

/**
 * A mutex between processes that the kernel releases when its holder dies. It is the write lock of an empty LMDB
 * environment, because Node has no other such lock. A stopped holder (SIGSTOP) blocks the others.
 */
export interface CommitMutex {
  /**
   * Waits until the mutex is free and acquires it.
   * @returns the function that releases it
   */
  acquire(): () => void;
  close(): void;
}

export const mutexName = "gate";

/**
 * Opens the mutex of a reader.
 * @returns undefined where no writer created one, or only for other users: no process then writes during this read
 */
export const findMutex = (directory: string): CommitMutex | undefined => {
  const path = join(directory, mutexName);
  try {
    return isIntact(path) ? openMutexAt(path) : undefined;
  } catch (error) {
    if (isPermissionError(error)) return undefined;
    throw error;
  }
};

export const openMutex = (directory: string): CommitMutex => {
  const path = join(directory, mutexName);
  mkdirSync(path, { recursive: true });
  // A power cut may leave a torn file. Another process may also be creating it, which takes some milliseconds.
  if (isCorrupt(path)) {
    sleepSync(50);
    if (isCorrupt(path)) removeData(path);
  }
  return openMutexAt(path);
};

/**
 * Removes the data of a mutex, and never its lock file. Invariant: processes exclude each other by the lock file, so
 * a process that still holds the removed data and one that creates new data use the same mutex.
 */
const removeData = (directory: string): void =>
  rmSync(join(directory, "data.mdb"), { force: true });

const getDataSize = (directory: string): number =>
  statSync(join(directory, "data.mdb"), { throwIfNoEntry: false })?.size ?? 0;

/** Checks that the two pages of an empty environment exist. */
const isIntact = (directory: string): boolean =>
  getDataSize(directory) >= 8_192 && hasLmdbMagic(join(directory, "data.mdb"));

const isCorrupt = (directory: string): boolean =>
  getDataSize(directory) > 0 && !isIntact(directory);

const openMutexAt = (path: string): CommitMutex => {
  const environment = openRawEnvironment(
    { path, maxDbs: 1, maxReaders: 1 },
    readWriteFlags,
    readWriteFlags,
  );
  return {
    acquire: () => beginTransaction(environment, readWriteFlags),
    close: () => environment.close(),
  };
};
