/**
 * Room for what LMDB makes when an environment is opened, had before it is opened: on a disk without it a process would be
 * ended by a signal, which leaves whatever it was at half done, and looks like a damaged file.
 */
import { existsSync, linkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isWantOfRoom } from "../errors.ts";

const [lockFile, dataFile] = ["lock.mdb", "data.mdb"];

/** The file of an environment's locks, or what is there for a moment while files are made. */
export const isOfLocks = (file: string): boolean =>
  /^(lock\.mdb|(lock|data)\.mdb\.\d+\.new)$/.test(file);

/** Bytes. */
const bytes = {
  /** What LMDB has in the file of locks for each who reads. */
  perReader: 64,
  /** No less than what stands before them. */
  header: 4_096,
  /** The two pages that an environment begins with, be they of 16 KB. */
  firstPages: 32_768,
};

/**
 * Makes the file of locks as large as it will ever be. LMDB makes one of holes, and writes to it through memory, which
 * cannot be refused: where there is no room, the process is ended (SIGBUS). It is linked when it is whole, as another
 * process may make it at the same moment, and use it at once. Where it cannot be made for another reason, LMDB says so,
 * or does without.
 * @throws when there is no room
 */
export const makeLocks = (directory: string, readers: number): void => {
  const path = join(directory, lockFile);
  if (existsSync(path)) return;
  const temporary = temporaryPath(path);
  try {
    writeFileSync(temporary, Buffer.alloc(bytes.header + readers * bytes.perReader), {
      mode: 0o664,
    });
    linkSync(temporary, path);
  } catch (error) {
    if (isWantOfRoom(error)) throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
};

/**
 * Makes sure that an environment can be begun. Where its first pages cannot be written, lmdb-js (3.5.6) uses what it has
 * freed, and mostly ends the process (SIGSEGV).
 * @throws when there is no room
 */
export const mustHaveRoom = (directory: string): void => {
  const path = join(directory, dataFile);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
  const temporary = temporaryPath(path);
  try {
    writeFileSync(temporary, Buffer.alloc(bytes.firstPages));
  } finally {
    rmSync(temporary, { force: true });
  }
};

const temporaryPath = (path: string): string => `${path}.${process.pid}.new`;
