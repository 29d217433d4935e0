import { closeSync, openSync, readSync } from "node:fs";
import * as lmdb from "lmdb";
import { isOfBrokenLocks } from "./error-codes.ts";
import { makeLocks, mustHaveRoom } from "./preallocate.ts";

/** What lmdb-js opens environments with; its types leave it out. */
export interface BareEnvironment {
  open(settings: object, flags: number, ownFlags: number): void;
  close(): void;
}

interface Native {
  readonly Env: new () => BareEnvironment;
  readonly Txn: new (environment: BareEnvironment, flags: number) => { abort(): void };
}

const { Env, Txn } = (lmdb as unknown as { readonly nativeAddon: Native }).nativeAddon;

/** LMDB's flags for what only reads, and for what does not. */
export const [reading, writing] = [0x20000, 0];

/** As lmdb-js gives them. */
const defaults = { maxDbs: 12, mapSize: 0x20000, keyBytes: Buffer.alloc(4_096) };

/** The bytes every LMDB file has at offset 24. */
const magic = Buffer.from("dec0efbe", "hex");

/** Whether LMDB would take a file for its own: on any other it ends the process. */
export const isLmdb = (path: string): boolean => {
  const bytes = Buffer.alloc(28);
  const file = openSync(path, "r");
  readSync(file, bytes, 0, bytes.length, 0);
  closeSync(file);
  return bytes.subarray(24).equals(magic);
};

/** What an environment is opened with, besides what only lmdb-js knows. */
export interface Bare {
  /** Its directory. */
  readonly path: string;
  readonly maxReaders: number;
  readonly maxDbs?: number | undefined;
}

const maxTries = 20;
/** Milliseconds: the longest pause after the first try; each may take longer by as much. */
const retryDelayMs = 2;
const sleepBuffer = new Int32Array(new SharedArrayBuffer(4));

/** @param ms milliseconds this thread does nothing at all */
export const rest = (ms: number): true => {
  Atomics.wait(sleepBuffer, 0, 0, ms);
  return true;
};

/** Begins a transaction. @returns what aborts it */
export const begin = (environment: BareEnvironment, flags: number): (() => void) => {
  const transaction = new Txn(environment, flags);
  return () => transaction.abort();
};

/**
 * Opens an environment beneath lmdb-js, again while its locks are no good: who closes it last destroys them, and only
 * then lets go of the file. Who opens it in between waits for the file and takes the locks as they are: each
 * transaction fails (EINVAL), also of those who come later, until nobody has it open. lmdb-js cannot be asked twice, as
 * it never closes what it failed to open.
 * @param testFlags flags of the transaction that proves the locks
 * @throws also when there is no room for what has to be made
 */
export const openBare = (settings: Bare, flags: number, testFlags: number): BareEnvironment => {
  makeLocks(settings.path, settings.maxReaders);
  if (flags === writing) mustHaveRoom(settings.path);
  for (let attempt = 1; ; attempt += 1) {
    const environment = new Env();
    try {
      environment.open({ ...defaults, ...settings }, flags, 0);
      begin(environment, testFlags)();
      return environment;
    } catch (error) {
      closeQuietly(environment);
      if (attempt === maxTries || !isOfBrokenLocks(error)) throw error;
      // By chance, as those who meet must not go on meeting.
      rest(Math.random() * retryDelayMs * attempt);
    }
  }
};

/** Refused where opening it failed, which closes it. */
const closeQuietly = (environment: BareEnvironment): void => {
  try {
    environment.close();
  } catch {
    // Nothing is open.
  }
};
