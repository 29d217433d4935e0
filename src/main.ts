#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { roleOf } from "./cli/supervisor/fork.ts";
import { tellError } from "./cli/terminal/output.ts";
import { VitrineError } from "./errors.ts";

// A loop that drains with nothing done is a bug of ours, never a success.
process.exitCode = 70;

/** The composition root: this file is every process, a command or what `serve` starts. */
const main = async (): Promise<number> => {
  const role = roleOf(process.env);
  if (role) return (await import("./cli/supervisor/worker.ts")).runChild(role);
  const program = fileURLToPath(import.meta.url);
  const { runProgram } = await import("./cli/program.ts");
  return runProgram(process.argv.slice(2), { env: process.env, program });
};

/** What does nothing but show, and may never end. */
const isEndless = (args: readonly string[]): boolean =>
  args[0] === "tail" || args.includes("--watch");

// What is written is for this user only: the journal and the model hold what the shop does not show.
process.umask(0o077);

// The signal says that a file may grow no further (`ulimit -f`), which the write says as well: it is tried again as on a full
// disk. Node ignores the signal, but signal-exit, a dependency of proper-lockfile, ends a process that has no other listener.
process.on("SIGXFSZ", () => undefined);

// Whoever read the output has gone (`vitrine tail | head`): what only shows ends, and what does something does it to its end.
let outputError: Error | undefined;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  const isReaderGone = error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED";
  if (isEndless(process.argv.slice(2)))
    process.exit(isReaderGone ? 0 : report(toOutputError(error)));
  if (!isReaderGone) outputError ??= error;
});

/** What failed, as people are told it; the exit code. */
const report = (error: unknown): number => tellError(error, process.env.LOG_LEVEL === "debug");

/** A script that reads nothing must not take it for done: what it was to read may be a token. */
const toFinalExitCode = async (exitCode: number): Promise<number> => {
  // Errors of writing are told in a later turn.
  await new Promise((resolve) => process.stdout.write("", resolve));
  return exitCode === 0 && outputError ? report(toOutputError(outputError)) : exitCode;
};

const toOutputError = (cause: Error): VitrineError =>
  new VitrineError(
    "not_writable",
    `the output cannot be written: ${cause.message}`,
    "what was done is done: have it told again, to where there is room",
    cause,
  );

main()
  .catch(report)
  .then(toFinalExitCode)
  .then((exitCode) => process.exit(exitCode));
