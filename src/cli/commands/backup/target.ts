import { mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { messageOf, VitrineError } from "../../../errors.ts";
import { fsyncPath, mkdirDurable } from "../../../platform/durable-fs.ts";
import { isPidRunning } from "../../../platform/process-identity.ts";
import { exitCodeOf } from "../../terminal/signals.ts";

/**
 * Fills a temporary directory in the same parent, then renames it to the target.
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
  const temporary = `${path}.unfinished-${process.pid}`;
  const clear = (): void => rmSync(temporary, { recursive: true, force: true });
  const removeHandlers = onTermination(clear);
  try {
    mkdirDurable(dirname(path));
    assertOutside(path, dataDir);
    sweep(path);
    mkdirSync(temporary, { mode: 0o700 });
    const content = await fill(temporary);
    renameSync(temporary, path);
    fsyncPath(dirname(path));
    return { path, content };
  } catch (error) {
    throw error instanceof VitrineError ? error : unwritable(path, error);
  } finally {
    clear();
    removeHandlers();
  }
};

const assertEmpty = (path: string): void => {
  try {
    if (readdirSync(path).length === 0) return;
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
const sweep = (path: string): void => {
  const start = `${basename(path)}.unfinished-`;
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(start)) continue;
    const pid = Number(name.slice(start.length));
    if (pid !== process.pid && isPidRunning(pid)) continue;
    rmSync(join(dirname(path), name), { recursive: true, force: true });
  }
};

const unwritable = (path: string, cause: unknown): VitrineError =>
  new VitrineError(
    "not_writable",
    `cannot write the backup ${path}: ${messageOf(cause)}`,
    "give this user the right to write there and room on the disk, or name another directory",
    cause,
  );

const signals = ["SIGINT", "SIGTERM"] as const;

/** Clears the directory when a signal ends the process. @returns removes the signal handlers */
const onTermination = (clear: () => void): (() => void) => {
  const end = (signal: NodeJS.Signals): never => {
    clear();
    process.exit(exitCodeOf(signal));
  };
  for (const signal of signals) process.on(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
};
