import { close as closeFile, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import * as lmdb from "lmdb";
import { findGate, type Gate, gateName, makeGate } from "./commit-mutex.ts";
import { openBare, reading, writing } from "./native-env.ts";
import { isOfLocks } from "./preallocate.ts";

export interface Opening extends lmdb.RootDatabaseOptions {
  /** Its directory. */
  readonly path: string;
  readonly readOnly: boolean;
}

/** An open environment. */
export interface Environment<V, K extends lmdb.Key> {
  readonly root: lmdb.RootDatabase<V, K>;
  /**
   * Opens databases of `root`; those that are not there are made, unless it is open to read only.
   * The environment is closed where that fails.
   */
  databases<T>(open: () => T): T;
  /**
   * All or nothing, durable on return. Nothing may be written otherwise.
   * @param work must not await
   */
  write<T>(work: () => T): T;
  close(): Promise<void>;
}

/** Whether a file of an environment's directory is none of its data. */
export const isBesideData = (file: string): boolean => file === gateName || isOfLocks(file);

/**
 * Opens an LMDB environment, whatever other processes do with it at that moment. `overlappingSync` is off, so that a
 * commit is durable and whoever opens first after a power cut sees whole pages.
 *
 * Who opens an environment writes the number of the newest commit into its locks, as he found it some microseconds
 * before (`mdb_env_open2`). A commit in between is undone by the next one (OpenLDAP's ITS#9496, not mended in lmdb-js
 * 3.5.6). So who opens it, and who commits, goes through a gate.
 *
 * An environment that this process has open to read only cannot be opened to write: lmdb-js joins the two ("No
 * transaction to renew").
 * @throws what LMDB throws when it cannot be opened
 */
export const openEnvironment = <V, K extends lmdb.Key>(options: Opening): Environment<V, K> => {
  const { path, readOnly } = options;
  if (!readOnly) mkdirSync(path, { recursive: true });
  const mutex = readOnly ? findGate(path) : makeGate(path);
  let isOpen = false;
  try {
    const root = openGuarded<V, K>(mutex, options);
    isOpen = true;
    const fileDescriptor = keepFileOpen(path);
    const write = <T>(work: () => T): T => commit(root, mutex, work);
    const closeOnce = async (): Promise<void> => {
      // Closing in the tick of a synchronous transaction waits for ever; `flushed` is the way out of that tick.
      await root.flushed;
      await root.close();
      if (fileDescriptor !== undefined) await promisify(closeFile)(fileDescriptor);
      if (!readOnly) mutex?.close();
    };
    let closing: Promise<void> | undefined;
    // By the second time the number of the file may be that of another one.
    const close = (): Promise<void> => {
      closing ??= closeOnce();
      return closing;
    };
    return {
      root,
      databases(open) {
        try {
          return readOnly ? open() : write(open);
        } catch (error) {
          // Its failure must not hide why the databases cannot be opened.
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

/**
 * Whoever closes a removed file last gives all its memory back, a millisecond for 3 MB: LMDB would do so in the loop
 * that answers requests, while a thread does it where the file is held open once more.
 */
const keepFileOpen = (path: string): number | undefined => {
  try {
    return openSync(join(path, "data.mdb"), "r");
  } catch {
    return undefined;
  }
};

const openGuarded = <V, K extends lmdb.Key>(
  mutex: Gate | undefined,
  options: Opening,
): lmdb.RootDatabase<V, K> => {
  const settings = { noSubdir: false, overlappingSync: false, maxReaders: 2048, ...options };
  const release = mutex?.enter();
  let rawEnvironment: { close(): void } | undefined;
  try {
    rawEnvironment = openBare(settings, options.readOnly ? reading : writing, reading);
  } finally {
    release?.();
  }
  try {
    // It joins what is open already.
    return lmdb.open<V, K>(settings);
  } finally {
    rawEnvironment.close();
  }
};

/** The gate is entered as late as can be: whoever opens the environment waits for the commit alone. */
const commit = <T>(root: lmdb.RootDatabase, mutex: Gate | undefined, work: () => T): T => {
  let release: (() => void) | undefined;
  try {
    return root.transactionSync(() => {
      const result = work();
      release = mutex?.enter();
      return result;
    });
  } finally {
    release?.();
  }
};
