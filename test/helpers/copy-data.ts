import { cpSync } from "node:fs";
import { join } from "node:path";
import { markIntact } from "../../src/lmdb/intact-marker.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";

/**
 * Copies a data directory whose files no process has open. The copies are marked as intact as the originals are, because a mark
 * names one file, and without it each command would start processes that read the copies.
 */
export const copyDataDirectory = (from: string, to: string): void => {
  copyWithUnmarkedModels(from, to);
  for (const generation of openDataDirectory(to).generations()) markIntact(generation);
};

/** Copies like `copyDataDirectory`, and marks no model, so that damage done to one at once does not pass for its marked state. */
export const copyWithUnmarkedModels = (from: string, to: string): void => {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  for (const name of ["journal", "operator"]) markIntact(join(to, name));
};
