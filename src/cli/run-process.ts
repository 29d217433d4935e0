import { VitrineError } from "../errors.ts";
import { reportError } from "./terminal/output.ts";

/**
 * Runs a command or another process of `serve`, and exits with its code.
 * @param main returns the exit code. It imports what it runs, so that what is common to all processes is set up before
 */
export const runProcess = (main: () => Promise<number>): void => {
  // An event loop that drains before the command ends is a bug, never a success.
  process.exitCode = 70;
  void main()
    .catch(report)
    .then(toFinalExitCode)
    .then((exitCode) => process.exit(exitCode));
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
