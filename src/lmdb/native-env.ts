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

const tries = 20;
/** Milliseconds: the longest pause after the first try; each may take longer by as much. */
const pause = 2;
const nothing = new Int32Array(new SharedArrayBuffer(4));

/** @param pause milliseconds this thread does nothing at all */
export const rest = (pause: number): true => {
  Atomics.wait(nothing, 0, 0, pause);
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
 * @param proof flags of the transaction that proves the locks
 * @throws also when there is no room for what has to be made
 */
export const openBare = (settings: Bare, flags: number, proof: number): BareEnvironment => {
  makeLocks(settings.path, settings.maxReaders);
  if (flags === writing) mustHaveRoom(settings.path);
  for (let turn = 1; ; turn += 1) {
    const bare = new Env();
    try {
      bare.open({ ...defaults, ...settings }, flags, 0);
      begin(bare, proof)();
      return bare;
    } catch (error) {
      close(bare);
      if (turn === tries || !isOfBrokenLocks(error)) throw error;
      // By chance, as those who meet must not go on meeting.
      rest(Math.random() * pause * turn);
    }
  }
};

/** Refused where opening it failed, which closes it. */
const close = (bare: BareEnvironment): void => {
  try {
    bare.close();
  } catch {
    // Nothing is open.
  }
};
