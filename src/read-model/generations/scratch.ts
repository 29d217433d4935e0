import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { VitrineError } from "../../errors.ts";
import { makeDirectory, syncPath } from "../../platform/durable-fs.ts";

/** Directories in which commands build generations: nothing points at them. */
export const scratchesIn = (scratches: string) => ({
  /** @param purpose begins its name */
  create(purpose: string): string {
    makeDirectory(scratches);
    const path = join(scratches, `${purpose}-${randomBytes(6).toString("hex")}`);
    mkdirSync(path);
    return path;
  },
  /**
   * Moves what was built, with everything durable, to where it becomes a generation.
   * @throws `no_model` when there is no such directory
   */
  move(scratch: string, path: string): void {
    const from = join(scratches, basename(scratch));
    if (!existsSync(join(from, "data.mdb"))) throw noScratch(from);
    try {
      // No other file: whoever closes one of LMDB's locks lets go of those this process holds in it.
      syncPath(join(from, "data.mdb"));
      syncPath(from);
      renameSync(from, path);
    } catch (cause) {
      if (existsSync(from)) throw cause;
      throw noScratch(from, cause);
    }
    // The command that built it may have been interrupted, and have begun to delete it before the rename.
    if (!existsSync(join(path, "data.mdb"))) {
      rmSync(path, { recursive: true, force: true });
      throw noScratch(from);
    }
    syncPath(dirname(path));
  },
  sweep: () => rmSync(scratches, { recursive: true, force: true, maxRetries: 3 }),
});

const noScratch = (path: string, cause?: unknown): VitrineError =>
  new VitrineError(
    "no_model",
    `${path} holds no generation that was built`,
    "run the command that builds it again",
    cause,
  );
