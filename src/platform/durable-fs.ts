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
 * Makes a directory and those above it, with names that a power cut does not take from above what will be kept in them.
 * Not `recursive`: where nothing can be made, as in /proc, Node tries for ever.
 */
export const makeDirectory = (path: string): void => {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirIfAbsent(path);
  fsyncDirectory(dirname(path));
};

/** Accepts a directory that another process made since `existsSync` looked for it. */
const mkdirIfAbsent = (path: string): void => {
  try {
    mkdirSync(path);
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
};

/** Of one that may be written and not read the names cannot be made durable; they are there all the same. */
const fsyncDirectory = (path: string): void => {
  try {
    syncPath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
  }
};

/** Lists a directory without `lost+found`, which an ext4 volume holds in its root from the beginning. */
export const entriesOf = (path: string): readonly string[] =>
  readdirSync(path).filter((name) => name !== "lost+found");

/** Makes a file, or the names in a directory, durable. */
export const syncPath = (path: string): void => {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};
