import { closeSync, openSync, readSync } from "node:fs";
import * as lmdb from "lmdb";
import { sleepSync } from "../platform/async.ts";
import { isBrokenLocks } from "./error-codes.ts";
import { assertDiskSpace, preallocateLockFile } from "./preallocate.ts";

/** The native environment of lmdb-js, which its types leave out. */
interface RawEnvironment {
  open(settings: object, flags: number, ownFlags: number): void;
  close(): void;
}

interface Native {
  readonly Env: new () => RawEnvironment;
  readonly Txn: new (environment: RawEnvironment, flags: number) => { abort(): void };
}

const { Env, Txn } = (lmdb as unknown as { readonly nativeAddon: Native }).nativeAddon;

/** LMDB's open flags for reading only, and for reading and writing. */
export const [readOnlyFlags, readWriteFlags] = [0x20000, 0];

/** The defaults of lmdb-js. */
const defaults = { maxDbs: 12, mapSize: 0x20000, keyBytes: Buffer.alloc(4_096) };

/** Bytes at offset 24 of every LMDB file. */
const magic = Buffer.from("dec0efbe", "hex");

/** Checks the magic number of a file, because LMDB ends the process on any other file. */
export const hasLmdbMagic = (path: string): boolean => {
  const bytes = Buffer.alloc(28);
  const file = openSync(path, "r");
  readSync(file, bytes, 0, bytes.length, 0);
  closeSync(file);
  return bytes.subarray(24).equals(magic);
};

/** Settings of an environment that LMDB needs. */
interface RawSettings {
  readonly path: string;
  readonly maxReaders: number;
  readonly maxDbs?: number | undefined;
}

const maxTries = 20;
/** Longest delay after the first try; the limit grows by as much with each try. */
const retryDelayMs = 2;

/**
 * Begins a transaction.
 * @returns the function that aborts it
 */
export const beginTransaction = (environment: RawEnvironment, flags: number): (() => void) => {
  const transaction = new Txn(environment, flags);
  return () => transaction.abort();
};

/**
 * Opens an environment below lmdb-js and retries while its locks are broken.
 *
 * Workaround for an LMDB race: the last process to close destroys the lock mutexes before it releases the file lock,
 * so a process that opens in between gets EINVAL from every transaction, and so do all later ones until every process
 * has closed it. Retries until a test transaction works. Below lmdb-js, because lmdb-js leaks an environment that
 * failed to open.
 * @param testFlags flags of the test transaction
 * @throws also when the disk has no room for the files
 */
export const openRawEnvironment = (
  settings: RawSettings,
  flags: number,
  testFlags: number,
): RawEnvironment => {
  preallocateLockFile(settings.path, settings.maxReaders);
  if (flags === readWriteFlags) assertDiskSpace(settings.path);
  for (let attempt = 1; ; attempt += 1) {
    const environment = new Env();
    try {
      environment.open({ ...defaults, ...settings }, flags, 0);
      beginTransaction(environment, testFlags)();
      return environment;
    } catch (error) {
      closeQuietly(environment);
      if (attempt === maxTries || !isBrokenLocks(error)) throw error;
      // Random, so that processes that collided do not collide again.
      sleepSync(Math.random() * retryDelayMs * attempt);
    }
  }
};

/** Closes an environment. LMDB throws when a failed open has closed it already. */
const closeQuietly = (environment: RawEnvironment): void => {
  try {
    environment.close();
  } catch {
    // Ignored, because nothing is open.
  }
};
