import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a directory and its parents, and syncs each parent, so that a power cut does not lose the new names. Not
 * `recursive`: where nothing can be created, as in /proc, Node retries for ever.
 */
export const mkdirDurable = (path: string): void => {
  if (existsSync(path)) return;
  mkdirDurable(dirname(path));
  mkdirIfAbsent(path);
  fsyncDirectory(dirname(path));
};

/** Accepts a directory that another process created after the `existsSync` check. */
const mkdirIfAbsent = (path: string): void => {
  try {
    mkdirSync(path);
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
};

/**
 * Syncs a directory's entries. A directory that is writable but not readable cannot be synced; its entries exist
 * nevertheless.
 */
const fsyncDirectory = (path: string): void => {
  try {
    fsyncPath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
  }
};

/** Lists a directory without `lost+found`, which the root of an ext4 volume always contains. */
export const listEntries = (path: string): readonly string[] =>
  readdirSync(path).filter((name) => name !== "lost+found");

/** Makes a file, or the entries of a directory, durable. */
export const fsyncPath = (path: string): void => {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};
