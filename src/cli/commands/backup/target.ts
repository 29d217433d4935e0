import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { messageOf, VitrineError } from "../../../errors.ts";
import { fsyncPath, listEntries, mkdirDurable } from "../../../platform/durable-fs.ts";
import { isPidRunning } from "../../../platform/process-identity.ts";
import { backupPaths, manifestFile } from "../../../read-model/generations/backup-manifest.ts";
import { exitBy, onTermination } from "../../terminal/signals.ts";

/**
 * Fills a temporary directory in the same parent, then renames it to the target. The root of a volume cannot be replaced: it
 * has the temporary directory inside, and gets the manifest last.
 * An interrupted backup leaves nothing under the target's name; the next backup sweeps what it left.
 * @param target a new or empty directory, outside `dataDir`
 * @throws VitrineError `usage` when the target cannot be used, `not_writable` when it cannot be written
 */
export const writeAtomically = async <T>(
  target: string,
  dataDir: string,
  fill: (temporary: string) => Promise<T>,
): Promise<{ readonly path: string; readonly content: T }> => {
  const path = resolve(target);
  assertEmpty(path);
  const isRoot = existsSync(join(path, "lost+found"));
  const parent = isRoot ? path : dirname(path);
  const temporary = join(parent, `${unfinished(path)}${process.pid}`);
  const clear = (): void => {
    const moved = isRoot && !existsSync(join(path, manifestFile)) ? Object.values(backupPaths) : [];
    for (const each of [temporary, ...moved.map((name) => join(path, name))])
      rmSync(each, { recursive: true, force: true });
  };
  const removeListener = onTermination((signal) => {
    clear();
    exitBy(signal);
  });
  try {
    mkdirDurable(parent);
    assertOutside(path, dataDir);
    sweep(parent, unfinished(path));
    mkdirSync(temporary, { mode: 0o700 });
    const content = await fill(temporary);
    if (isRoot) moveContent(temporary, path);
    else renameSync(temporary, path);
    fsyncPath(parent);
    return { path, content };
  } catch (error) {
    throw error instanceof VitrineError ? error : unwritable(path, error);
  } finally {
    clear();
    removeListener();
  }
};

const unfinished = (path: string): string => `${basename(path)}.unfinished-`;

/** Moves a backup, its manifest last, because a backup without one is not complete. */
const moveContent = (from: string, to: string): void => {
  for (const name of [...Object.values(backupPaths), manifestFile]) {
    if (existsSync(join(from, name))) renameSync(join(from, name), join(to, name));
  }
};

const assertEmpty = (path: string): void => {
  try {
    if (listEntries(path).every((name) => name.startsWith(unfinished(path)))) return;
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT") return;
    const why = code === "ENOTDIR" ? "it is a file" : messageOf(cause);
    throw new VitrineError("usage", `cannot back up to ${path}: ${why}`, "name a new directory");
  }
  throw new VitrineError(
    "usage",
    `${path} is not empty`,
    "name a new directory for each backup; no backup overwrites another",
  );
};

/** Asserts that the target is outside the data directory, because the backup would be lost with it. */
const assertOutside = (path: string, dataDir: string): void => {
  const parent = realpathSync(dirname(path));
  const inside = relative(realpathSync(dataDir), join(parent, basename(path)));
  if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return;
  throw new VitrineError(
    "usage",
    `${path} is inside the data directory ${dataDir}`,
    "name a directory outside of it, best on another disk",
  );
};

/** Removes what killed backups to the same target left. */
const sweep = (parent: string, start: string): void => {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(start)) continue;
    const pid = Number(name.slice(start.length));
    if (pid !== process.pid && isPidRunning(pid)) continue;
    rmSync(join(parent, name), { recursive: true, force: true });
  }
};

const unwritable = (path: string, cause: unknown): VitrineError =>
  new VitrineError(
    "not_writable",
    `cannot write the backup ${path}: ${messageOf(cause)}`,
    "give this user the right to write there and room on the disk, or name another directory",
    cause,
  );
