import { lstatSync, statfsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { DataDirectory } from "./data-directory.ts";

/** Which generations a data directory stands on, as its files tell without LMDB being asked. */
export interface Standing {
  /** Name of the generation that answers, e.g. `0002`; null before the first. */
  readonly generation: string | null;
  /** Milliseconds since 1970: when it became the one that answers; null before the first. */
  readonly liveSince: number | null;
  /** Its size on disk. */
  readonly bytes: number;
  /** The generation kept for going back. */
  readonly previous: string | null;
  readonly previousBytes: number;
  /** Room left on the disk for this user. */
  readonly freeBytes: number;
}

export const standingOf = (directory: DataDirectory): Standing => {
  const [live, previous] = [directory.live(), directory.previous()];
  const { bavail, bsize } = statfsSync(directory.path);
  return {
    generation: live === undefined ? null : basename(live),
    liveSince: lstatSync(join(directory.path, "live"), { throwIfNoEntry: false })?.mtimeMs ?? null,
    bytes: sizeOf(live),
    previous: previous === undefined ? null : basename(previous),
    previousBytes: sizeOf(previous),
    freeBytes: bavail * bsize,
  };
};

/** The file grows in steps, and its unused pages count: it is what the disk misses. */
const sizeOf = (generation: string | undefined): number =>
  (generation && statSync(join(generation, "data.mdb"), { throwIfNoEntry: false })?.size) || 0;
