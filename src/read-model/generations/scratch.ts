import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { VitrineError } from "../../errors.ts";
import { fsyncPath, mkdirDurable } from "../../platform/durable-fs.ts";

/** Manages the directories in which commands build candidates; no link points to them. */
export const openScratch = (root: string) => ({
  /** @param purpose prefix of the directory's name */
  create(purpose: string): string {
    mkdirDurable(root);
    const path = join(root, `${purpose}-${randomBytes(6).toString("hex")}`);
    mkdirSync(path);
    return path;
  },
  /**
   * Moves a candidate to `path`, durable on return.
   * @throws `no_model` when there is no such scratch directory
   */
  move(scratch: string, path: string): void {
    const from = join(root, basename(scratch));
    if (!existsSync(join(from, "data.mdb"))) throw noCandidate(from);
    try {
      // Never open `lock.mdb`: closing it would release the POSIX locks that this process holds in that file.
      fsyncPath(join(from, "data.mdb"));
      fsyncPath(from);
      renameSync(from, path);
    } catch (cause) {
      if (existsSync(from)) throw cause;
      throw noCandidate(from, cause);
    }
    // An interrupted command may have begun to delete its candidate before the rename.
    if (!existsSync(join(path, "data.mdb"))) {
      rmSync(path, { recursive: true, force: true });
      throw noCandidate(from);
    }
    fsyncPath(dirname(path));
  },
  sweep: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
});

const noCandidate = (path: string, cause?: unknown): VitrineError =>
  new VitrineError(
    "no_model",
    `${path} holds no generation that was built`,
    "run the command that builds it again",
    cause,
  );
