/**
 * Allocates the disk space of LMDB's files before an environment is opened. On a full disk LMDB would end the process
 * by a signal, which interrupts its work and looks like a corrupt file.
 */
import { existsSync, linkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDiskFull } from "../errors.ts";

const [lockFile, dataFile] = ["lock.mdb", "data.mdb"];

/** Detects the lock file of an environment, and the temporary files of this module. */
export const isLockFile = (file: string): boolean =>
  /^(lock\.mdb|(lock|data)\.mdb\.\d+\.new)$/.test(file);

/** Sizes in bytes. */
const bytes = {
  /** LMDB's entry for each reader in the lock file. */
  perReader: 64,
  /** At least the size of the header before these entries. */
  header: 4_096,
  /** The first two pages of an environment, at most 16 KB each. */
  firstPages: 32_768,
};

/**
 * Creates the lock file at its final size. LMDB creates it sparse and writes to it through mapped memory, so that a
 * full disk ends the process (SIGBUS). It is linked when it is complete, because another process may create and use
 * it at the same time. Other failures are ignored: LMDB reports them, or works without the file.
 * @throws when the disk is full
 */
export const preallocateLockFile = (directory: string, readers: number): void => {
  const path = join(directory, lockFile);
  if (existsSync(path)) return;
  const temporary = temporaryPath(path);
  try {
    writeFileSync(temporary, Buffer.alloc(bytes.header + readers * bytes.perReader), {
      mode: 0o664,
    });
    linkSync(temporary, path);
  } catch (error) {
    if (isDiskFull(error)) throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
};

/**
 * Makes sure that the first pages of a new environment fit on the disk. Workaround for lmdb-js 3.5.6: when they
 * cannot be written, it uses freed memory and mostly ends the process (SIGSEGV).
 * @throws when the disk is full
 */
export const assertDiskSpace = (directory: string): void => {
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
