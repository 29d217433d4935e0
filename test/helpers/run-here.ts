/**
 * Runs a command in the process of the test, where it takes a twentieth of the time of a process of its own. A test of what
 * only a process has, such as signals, a closed output or another command at the same time, uses `run`.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Readable } from "node:stream";
import { runProgram } from "../../src/cli/program.ts";
import { reportError } from "../../src/cli/terminal/output.ts";
import { commandEnv, mustKeepSecrets, type Run, type RunOptions } from "./vitrine.ts";

/** Ends with the last command so far: each captures the output of the process, and so they run one after the other. */
let previous: Promise<unknown> = Promise.resolve();

/** Runs a command to its end, like `run`, and with the same result. */
export const runHere = (args: readonly string[], options: RunOptions = {}): Promise<Run> => {
  const running = previous.then(() => runCaptured(args, options));
  previous = running.catch(() => undefined);
  return running;
};

const runCaptured = async (
  args: readonly string[],
  { env, input = "" }: RunOptions,
): Promise<Run> => {
  const { output, end } = captureOutput(input);
  const mask = process.umask(0o077);
  try {
    const running = runProgram(args, { ...commandEnv, ...env });
    const code = await running.catch((error) => reportError(error, false));
    mustKeepSecrets(output.stderr, env);
    return { code, ...output };
  } finally {
    process.umask(mask);
    end();
  }
};

/** Replaces standard input, and collects what is written to standard output and standard error. */
const captureOutput = (input: string) => {
  const output = { stdout: "", stderr: "" };
  const { writeSync } = fs;
  const { stdin } = process;
  const { write } = process.stdout;
  Object.defineProperty(process, "stdin", { value: Readable.from([Buffer.from(input)]) });
  process.stdout.write = (text) => {
    output.stdout += text;
    return true;
  };
  Object.assign(fs, {
    writeSync(handle: number, bytes: Buffer, ...more: [number]) {
      if (handle !== 2) return writeSync(handle, bytes, ...more);
      output.stderr += bytes;
      return bytes.length;
    },
  });
  syncBuiltinESMExports();
  const end = (): void => {
    Object.defineProperty(process, "stdin", { value: stdin });
    process.stdout.write = write;
    Object.assign(fs, { writeSync });
    syncBuiltinESMExports();
  };
  return { output, end };
};
