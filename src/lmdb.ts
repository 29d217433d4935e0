import { mkdirSync } from "node:fs";
import * as lmdb from "lmdb";
import { messageOf } from "./errors.ts";

export interface Opening extends lmdb.RootDatabaseOptions {
  /** Its directory. */
  readonly path: string;
  readonly readOnly: boolean;
}

/**
 * Opens an LMDB environment, whatever other processes do with it at that moment. `overlappingSync` is off, so that a
 * commit is durable and whoever opens first after a power cut sees whole pages.
 *
 * Who closes an environment last destroys its locks, and only then lets go of the file. Who opens it in between waits
 * for the file and takes the locks as they are: each transaction fails (EINVAL), also of those who come later, until
 * nobody has it open. lmdb-js cannot be asked twice, as it never closes what it failed to open. So the environment is
 * opened beneath it first, again if need be, and held until lmdb-js has joined.
 * @throws what LMDB throws when it cannot be opened
 */
export const openEnvironment = <V, K extends lmdb.Key>(
  opening: Opening,
): lmdb.RootDatabase<V, K> => {
  const settings = { noSubdir: false, overlappingSync: false, maxReaders: 2048, ...opening };
  if (!opening.readOnly) mkdirSync(opening.path, { recursive: true });
  const held = hold(settings);
  try {
    return lmdb.open<V, K>(settings);
  } finally {
    held.close();
  }
};

/** What lmdb-js opens environments with; its types leave it out. */
interface BareEnvironment {
  open(settings: object, flags: number, ownFlags: number): void;
  close(): void;
}

interface Native {
  readonly Env: new () => BareEnvironment;
  readonly Txn: new (environment: BareEnvironment, flags: number) => { abort(): void };
}

const { Env, Txn } = (lmdb as unknown as { readonly nativeAddon: Native }).nativeAddon;

/** LMDB's flag for what only reads. */
const reading = 0x20000;
/** As lmdb-js gives them. */
const defaults = { maxDbs: 12, mapSize: 0x20000, keyBytes: Buffer.alloc(4_096) };

const tries = 20;
/** Milliseconds: the longest pause after the first try; each may take longer by as much. */
const pause = 2;
const nothing = new Int32Array(new SharedArrayBuffer(4));

const hold = (opening: Opening): BareEnvironment => {
  for (let turn = 1; ; turn += 1) {
    const bare = new Env();
    try {
      bare.open({ ...defaults, ...opening }, opening.readOnly ? reading : 0, 0);
      new Txn(bare, reading).abort();
      return bare;
    } catch (error) {
      close(bare);
      if (turn === tries || !mayPass(error)) throw error;
      // By chance, as those who meet must not go on meeting.
      Atomics.wait(nothing, 0, 0, Math.random() * pause * turn);
    }
  }
};

/** Its locks are destroyed, or whoever was about to make them was killed. */
const mayPass = (error: unknown): boolean =>
  /^(Invalid argument|MDB_INVALID)/.test(messageOf(error));

/** Refused where opening it failed, which closes it. */
const close = (bare: BareEnvironment): void => {
  try {
    bare.close();
  } catch {
    // Nothing is open.
  }
};
