import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isOfRights } from "./error-codes.ts";
import { begin, isLmdb, openBare, rest, writing } from "./native-env.ts";

/**
 * Where one at a time is, of all processes; who dies in it has left it. It is the lock for writing of an environment
 * without data: node has no other lock that is let go of when its holder is killed. Who is stopped in it (SIGSTOP)
 * keeps the others waiting until it goes on.
 */
export interface Gate {
  /** Waits until nobody is in it. @returns what leaves it */
  enter(): () => void;
  close(): void;
}

export const gateName = "gate";

/** Whoever writes makes it; where there is none, or only for others, nobody writes beside this reader. */
export const findGate = (directory: string): Gate | undefined => {
  const path = join(directory, gateName);
  try {
    return isIntact(path) ? openMutexAt(path) : undefined;
  } catch (error) {
    if (isOfRights(error)) return undefined;
    throw error;
  }
};

export const makeGate = (directory: string): Gate => {
  const path = join(directory, gateName);
  mkdirSync(path, { recursive: true });
  // A power cut may leave a torn file. Another process may also be making it at this moment, which takes some milliseconds.
  if (isCorrupt(path) && rest(50) && isCorrupt(path)) removeData(path);
  return openMutexAt(path);
};

/**
 * Removes the data of a gate, and never its file of locks. Invariant: processes exclude each other by the lock in that
 * file, so one that still holds the removed data and one that makes new data go through the same gate.
 */
const removeData = (directory: string): void =>
  rmSync(join(directory, "data.mdb"), { force: true });

const getDataSize = (directory: string): number =>
  statSync(join(directory, "data.mdb"), { throwIfNoEntry: false })?.size ?? 0;

/** Both pages that every environment begins with are there. */
const isIntact = (directory: string): boolean =>
  getDataSize(directory) >= 8_192 && isLmdb(join(directory, "data.mdb"));

const isCorrupt = (directory: string): boolean =>
  getDataSize(directory) > 0 && !isIntact(directory);

const openMutexAt = (path: string): Gate => {
  const environment = openBare({ path, maxDbs: 1, maxReaders: 1 }, writing, writing);
  return { enter: () => begin(environment, writing), close: () => environment.close() };
};
