/**
 * Room for what LMDB makes when an environment is opened, had before it is opened: on a disk without it a process would be
 * ended by a signal, which leaves whatever it was at half done, and looks like a damaged file.
 */
import { existsSync, linkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isWantOfRoom } from "../errors.ts";

const [locks, data] = ["lock.mdb", "data.mdb"];

/** The file of an environment's locks, or what is there for a moment while files are made. */
export const isOfLocks = (file: string): boolean =>
  /^(lock\.mdb|(lock|data)\.mdb\.\d+\.new)$/.test(file);

/** Bytes. */
const size = {
  /** What LMDB has in the file of locks for each who reads. */
  reader: 64,
  /** No less than what stands before them. */
  head: 4_096,
  /** The two pages that an environment begins with, be they of 16 KB. */
  first: 32_768,
};

/**
 * Makes the file of locks as large as it will ever be. LMDB makes one of holes, and writes to it through memory, which
 * cannot be refused: where there is no room, the process is ended (SIGBUS). It is linked when it is whole, as another
 * process may make it at the same moment, and use it at once. Where it cannot be made for another reason, LMDB says so,
 * or does without.
 * @throws when there is no room
 */
export const makeLocks = (directory: string, readers: number): void => {
  const path = join(directory, locks);
  if (existsSync(path)) return;
  const fresh = freshOf(path);
  try {
    writeFileSync(fresh, Buffer.alloc(size.head + readers * size.reader), { mode: 0o664 });
    linkSync(fresh, path);
  } catch (error) {
    if (isWantOfRoom(error)) throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
};

/**
 * Makes sure that an environment can be begun. Where its first pages cannot be written, lmdb-js (3.5.6) uses what it has
 * freed, and mostly ends the process (SIGSEGV).
 * @throws when there is no room
 */
export const mustHaveRoom = (directory: string): void => {
  const path = join(directory, data);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
  const fresh = freshOf(path);
  try {
    writeFileSync(fresh, Buffer.alloc(size.first));
  } finally {
    rmSync(fresh, { force: true });
  }
};

const freshOf = (path: string): string => `${path}.${process.pid}.new`;
