import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { messageOf, VitrineError } from "../../errors.ts";
import { exitCodeOf } from "../terminal/signals.ts";

/** An event file that can be read repeatedly. */
export interface InputFile {
  /** Path as given; `standard input` for `-`. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

export interface InputFiles {
  readonly files: readonly InputFile[];
  /** Removes the temporary files. */
  close(): void;
}

/**
 * Opens event files by path; `-` is standard input.
 * A file is checked completely before any of it is used, so input that can be read only once, such as a pipe, is copied
 * to a temporary file.
 * @throws VitrineError `usage` when a file cannot be read
 */
export const openInputFiles = async (paths: readonly string[]): Promise<InputFiles> => {
  if (paths.filter((path) => path === "-").length > 1) {
    throw new VitrineError("usage", "standard input can be read only once", "give - one time");
  }
  const spool = openSpool();
  const files: InputFile[] = [];
  try {
    for (const path of paths) files.push(await openInput(path, spool));
    return { files, close: spool.close };
  } catch (error) {
    spool.close();
    throw error;
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

const openSpool = (): Spool => {
  let directory: string | undefined;
  const close = (): void => {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
    directory = undefined;
    process.off("exit", close);
    for (const signal of signals) process.off(signal, exit);
  };
  const createDirectory = (): string => {
    process.on("exit", close);
    for (const signal of signals) process.on(signal, exit);
    return mkdtempSync(join(tmpdir(), "vitrine-"));
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
        throw toSpoolError(name, cause);
      }
    },
    close,
  };
};

/** Reports a failed read as `usage`, and a failed write as `not_writable`. */
const toSpoolError = (name: string, cause: unknown): VitrineError => {
  const { syscall, path }: NodeJS.ErrnoException = cause instanceof Error ? cause : new Error();
  return syscall === "read" || path === name
    ? new VitrineError("usage", `cannot read ${name}: ${messageOf(cause)}`, "", cause)
    : new VitrineError(
        "not_writable",
        `cannot keep ${name} in ${tmpdir()}: ${messageOf(cause)}`,
        "make room there, or name another directory with TMPDIR",
        cause,
      );
};

const signals = ["SIGINT", "SIGTERM"] as const;
const exit = (signal: NodeJS.Signals): never => process.exit(exitCodeOf(signal));
