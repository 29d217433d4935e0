#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { readRole } from "./cli/supervisor/fork.ts";
import { reportError } from "./cli/terminal/output.ts";
import { VitrineError } from "./errors.ts";

// An event loop that drains before the command ends is a bug, never a success.
process.exitCode = 70;

/** The composition root. Every process runs this file: a command, or a child of `serve`. */
const main = async (): Promise<number> => {
  const role = readRole(process.env);
  if (role) return (await import("./cli/supervisor/worker.ts")).runWorker(role);
  const program = fileURLToPath(import.meta.url);
  const { runProgram } = await import("./cli/program.ts");
  return runProgram(process.argv.slice(2), { env: process.env, program });
};

/** Detects commands that only print and may never end. */
const isEndless = (args: readonly string[]): boolean =>
  args[0] === "tail" || args.includes("--watch");

// Files are for this user only, because the journal and the model contain data that the shop does not publish.
process.umask(0o077);

// A file that reaches `ulimit -f` raises SIGXFSZ, and the write fails as well; the write is retried as on a full
// disk. Node ignores the signal, but signal-exit, a dependency of proper-lockfile, ends a process that has no other
// listener.
process.on("SIGXFSZ", () => undefined);

// stdout was closed (`vitrine tail | head`). Endless read-only commands exit; commands with effects run to
// completion.
let outputError: Error | undefined;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  const isReaderGone = error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED";
  if (isEndless(process.argv.slice(2)))
    process.exit(isReaderGone ? 0 : report(toOutputError(error)));
  if (!isReaderGone) outputError ??= error;
});

/**
 * Prints an error for people.
 * @returns the exit code
 */
const report = (error: unknown): number => reportError(error, process.env.LOG_LEVEL === "debug");

/**
 * Fails the command when its output was lost. A script that read nothing must not see a success: the output may be a
 * token.
 */
const toFinalExitCode = async (exitCode: number): Promise<number> => {
  // Errors of a write arrive in a later turn of the event loop.
  await new Promise((resolve) => process.stdout.write("", resolve));
  return exitCode === 0 && outputError ? report(toOutputError(outputError)) : exitCode;
};

const toOutputError = (cause: Error): VitrineError =>
  new VitrineError(
    "not_writable",
    `the output cannot be written: ${cause.message}`,
    "the command succeeded but its output was lost; free disk space before printing it again",
    cause,
  );

void main()
  .catch(report)
  .then(toFinalExitCode)
  .then((exitCode) => process.exit(exitCode));
