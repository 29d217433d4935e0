import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const names = ["1", "2", "3", "4"];
/** Of each, which no file system can make smaller. */
const bytes = 16 * 1024;

const placeIn = (directory: string): string => join(directory, "spare");

/**
 * Keeps a little room for what a process has to make before it can answer: a lock is a directory, for which a full disk
 * may have no block, and no inode.
 */
export const keepSpare = (directory: string): void => {
  const spare = placeIn(directory);
  try {
    mkdirSync(spare, { recursive: true });
    for (const name of names.filter((each) => !existsSync(join(spare, each)))) {
      writeFileSync(join(spare, name), randomBytes(bytes));
    }
  } catch {
    // What there is of it is better than nothing.
  }
};

/** Gives the room free. @returns false where none was kept */
export const useSpare = (directory: string): boolean => {
  const spare = placeIn(directory);
  if (!existsSync(spare)) return false;
  rmSync(spare, { recursive: true, force: true });
  return true;
};
