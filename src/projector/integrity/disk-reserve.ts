import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const names = ["1", "2", "3", "4"];
/** Size of each file. Random content prevents a file system from compressing it. */
const fileBytes = 16 * 1024;

const reservePath = (directory: string): string => join(directory, "spare");

/**
 * Reserves 64 KB in four files, so that the lock directory can be created on a full disk, which may lack a free block or a free
 * inode.
 */
export const reserveDiskSpace = (directory: string): void => {
  const spare = reservePath(directory);
  try {
    mkdirSync(spare, { recursive: true });
    for (const name of names.filter((each) => !existsSync(join(spare, each)))) {
      writeFileSync(join(spare, name), randomBytes(fileBytes));
    }
  } catch {
    // A partial reserve is still useful.
  }
};

/** Deletes the reserve to free disk space. @returns false when there is no reserve */
export const releaseReserve = (directory: string): boolean => {
  const spare = reservePath(directory);
  if (!existsSync(spare)) return false;
  rmSync(spare, { recursive: true, force: true });
  return true;
};
