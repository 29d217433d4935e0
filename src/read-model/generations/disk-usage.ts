import { lstatSync, statfsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { DataDirectory } from "./data-directory.ts";

/** Generations of a data directory and their disk usage, read from the file system without opening LMDB. */
export interface DirectoryUsage {
  /** Name of the live generation, e.g. `0002`; null before the first. */
  readonly generation: string | null;
  /** Time at which it became live, milliseconds since 1970; null before the first. */
  readonly liveSince: number | null;
  /** Size of the live generation on disk; 0 before the first. */
  readonly bytes: number;
  /** Name of the generation retained for a rollback; null when there is none. */
  readonly previous: string | null;
  readonly previousBytes: number;
  readonly freeBytes: number;
}

export const readDirectoryUsage = (directory: DataDirectory): DirectoryUsage => {
  const [live, previous] = [directory.live(), directory.previous()];
  const { bavail, bsize } = statfsSync(directory.path);
  return {
    generation: live === undefined ? null : basename(live),
    liveSince: lstatSync(join(directory.path, "live"), { throwIfNoEntry: false })?.mtimeMs ?? null,
    bytes: fileBytes(live),
    previous: previous === undefined ? null : basename(previous),
    previousBytes: fileBytes(previous),
    freeBytes: bavail * bsize,
  };
};

/** Returns the size of the file, unused pages included, because they occupy the disk too. */
const fileBytes = (generation: string | undefined): number =>
  (generation && statSync(join(generation, "data.mdb"), { throwIfNoEntry: false })?.size) || 0;
