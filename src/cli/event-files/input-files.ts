import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { messageOf, VitrineError } from "../../errors.ts";
import { argumentList, text } from "../command-spec.ts";
import { exitBy, onTermination } from "../terminal/signals.ts";

export const eventFiles = argumentList(
  "<file...>",
  "NDJSON files of CloudEvents, - for standard input",
  text,
);

/** An event file that can be read repeatedly. */
export interface InputFile {
  /** Path as given; `standard input` for `-`. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

/**
 * Opens event files by path, uses them and removes the temporary ones; `-` is standard input.
 * A file is checked completely before any of it is used, so input that can be read only once, such as a pipe, is copied
 * to a temporary file.
 * @param spoolDirectory directory of the temporary files; by default that of the system
 * @throws VitrineError `usage` when a file cannot be read
 */
export const withInputFiles = <T>(
  paths: readonly string[],
  use: (files: readonly InputFile[]) => T | Promise<T>,
  spoolDirectory?: string,
): Promise<T> =>
  withSpool(spoolDirectory, async (spool) => {
    if (paths.filter((path) => path === "-").length > 1) {
      throw new VitrineError("usage", "standard input can be read only once", "give - only once");
    }
    const files: InputFile[] = [];
    for (const path of paths) files.push(await openInput(path, spool));
    return use(files);
  });

/** Opens one event file as `withInputFiles` does. */
export const withInputFile = <T>(
  path: string,
  use: (file: InputFile) => T | Promise<T>,
): Promise<T> => withSpool(undefined, async (spool) => use(await openInput(path, spool)));

const withSpool = async <T>(
  parent: string | undefined,
  use: (spool: Spool) => Promise<T>,
): Promise<T> => {
  const spool = openSpool(parent ?? tmpdir());
  try {
    return await use(spool);
  } finally {
    spool.close();
  }
};

const openInput = async (path: string, spool: Spool): Promise<InputFile> => {
  if (path === "-") return spool.copy("standard input", process.stdin);
  const stats = statInput(path);
  if (stats.isFile()) return { name: path, path, bytes: stats.size };
  if (stats.isDirectory()) throw new VitrineError("usage", `cannot read ${path}: is a directory`);
  return spool.copy(path, createReadStream(path));
};

const statInput = (path: string) => {
  try {
    return statSync(path);
  } catch (cause) {
    const absent = messageOf(cause).startsWith("ENOENT");
    const why = absent ? "there is no such file" : messageOf(cause);
    throw new VitrineError("usage", `cannot read ${path}: ${why}`, "", cause);
  }
};

interface Spool {
  copy(name: string, stream: Readable): Promise<InputFile>;
  close(): void;
}

const openSpool = (parent: string): Spool => {
  let directory: string | undefined;
  let removeListener = (): void => undefined;
  const close = (): void => {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
    directory = undefined;
    process.off("exit", close);
    removeListener();
  };
  const createDirectory = (): string => {
    process.on("exit", close);
    removeListener = onTermination(exitBy);
    return mkdtempSync(join(parent, "vitrine-"));
  };
  let count = 0;
  return {
    async copy(name, stream) {
      try {
        directory ??= createDirectory();
        count += 1;
        const path = join(directory, `${count}.ndjson`);
        await pipeline(stream, createWriteStream(path));
        return { name, path, bytes: statSync(path).size };
      } catch (cause) {
        throw toSpoolError(name, parent, cause);
      }
    },
    close,
  };
};

/** Reports a failed read as `usage`, and a failed write as `not_writable`. */
const toSpoolError = (name: string, parent: string, cause: unknown): VitrineError => {
  const { syscall, path }: NodeJS.ErrnoException = cause instanceof Error ? cause : new Error();
  return syscall === "read" || path === name
    ? new VitrineError("usage", `cannot read ${name}: ${messageOf(cause)}`, "", cause)
    : new VitrineError(
        "not_writable",
        `cannot keep ${name} in ${parent}: ${messageOf(cause)}`,
        parent === tmpdir()
          ? "make room there, or name another directory with TMPDIR"
          : "make room there",
        cause,
      );
};
