#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { roleOf } from "./cli/processes/processes.ts";
import { tellError } from "./cli/terminal/output.ts";

// A loop that drains with nothing done is a bug of ours, never a success.
process.exitCode = 70;

/** The composition root: this file is every process, a command or what `serve` starts. */
const main = async (): Promise<number> => {
  const role = roleOf(process.env);
  if (role) return (await import("./cli/processes/child.ts")).runChild(role);
  const program = fileURLToPath(import.meta.url);
  const { runProgram } = await import("./cli/program.ts");
  return runProgram(process.argv.slice(2), { env: process.env, program });
};

/** What does nothing but show, and may never end. */
const isEndless = (args: readonly string[]): boolean =>
  args[0] === "tail" || args.includes("--watch");

// What is written is for this user only: the journal and the model hold what the shop does not show.
process.umask(0o077);

// Whoever read the output has gone (`vitrine tail | head`): what only shows ends, and what does something does it to its end.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED") throw error;
  if (isEndless(process.argv.slice(2))) process.exit(0);
});

main().then(
  (exitCode) => process.exit(exitCode),
  (error) => process.exit(tellError(error, process.env.LOG_LEVEL === "debug")),
);
