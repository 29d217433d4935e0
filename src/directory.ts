import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** Makes a directory and those above it. Not `recursive`: where nothing can be made, as in /proc, Node tries for ever. */
export const makeDirectory = (path: string): void => {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path);
};
