import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

/** Makes a directory and those above it. Not `recursive`: where nothing can be made, as in /proc, Node tries for ever. */
export const makeDirectory = (path: string): void => {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path);
};

/** Makes a file, or the names in a directory, durable. */
export const syncPath = (path: string): void => {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};
