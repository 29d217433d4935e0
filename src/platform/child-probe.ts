import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { messageOf } from "../errors.ts";
import { isCorruptionExit, toExitReason } from "./exit-reason.ts";

/** The result of a probe: undefined when the files are intact, else the defect in one sentence. */
export type ProbeResult = string | undefined;

export interface ProbeOptions {
  /** Ends the check without a result. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the check read the files and found them intact. */
  readonly onIntact?: () => void;
}

/** A page tree with a cycle is read for ever; an intact file of hundreds of gigabytes takes less than this. */
const probeTimeoutMs = 3_600_000;

/** Exit codes of a probe that found corruption, and of one that could not read the files. */
const [corruptExitCode, unreadExitCode] = [9, 10];

/**
 * Checks files in a child process, because a corrupt LMDB file ends its reader by a signal that cannot be caught. A
 * check that could not run, for lack of memory, rights or disk space, reports nothing.
 * @param program path of the module that checks
 */
export const runProbeProcess = async (
  program: string,
  args: readonly string[],
  { signal, onIntact }: ProbeOptions = {},
): Promise<ProbeResult> => {
  const child = signal?.aborted ? undefined : spawnProbe([program, ...args]);
  if (!child) return undefined;
  const stop = (): void => void child.kill("SIGKILL");
  let hasTimedOut = false;
  const timeout = setTimeout(() => {
    hasTimedOut = true;
    stop();
  }, probeTimeoutMs);
  signal?.addEventListener("abort", stop, { once: true });
  process.once("exit", stop);
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (text) => {
    output.stdout += text;
  });
  child.stderr.on("data", (text) => {
    output.stderr += text;
  });
  const [code, killedBy] = await once(child, "close").catch(() => [null, null]);
  clearTimeout(timeout);
  signal?.removeEventListener("abort", stop);
  process.off("exit", stop);
  if (hasTimedOut) return "reading it does not end";
  if (isCorruptionExit(toExitReason(code, killedBy, output.stderr)))
    return `reading it ends a process (${killedBy})`;
  if (code === 0) onIntact?.();
  return code === corruptExitCode ? output.stdout.trim() : undefined;
};

type ProbeProcess = ChildProcess & { readonly stdout: Readable; readonly stderr: Readable };

/**
 * Spawns the probe. Node reports some failures by an event, throws others, and for some returns a process without
 * streams.
 * @returns undefined when the process did not start
 */
const spawnProbe = (args: readonly string[]): ProbeProcess | undefined => {
  try {
    const child = spawn(process.execPath, [...process.execArgv, ...args], {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: {},
    });
    const { stdout, stderr } = child;
    if (stdout && stderr) return Object.assign(child, { stdout, stderr });
    child.on("error", () => undefined);
  } catch {
    // A thrown failure counts like one that Node reports by an event.
  }
  return undefined;
};

const environmentErrors =
  /permission denied|not permitted|allocate memory|too many open files|no space left|read-only file system|temporarily unavailable|READERS_FULL|MAP_RESIZED/i;

/** Detects errors of the machine, such as system errors, which say nothing about the file. */
export const isEnvironmentError = (error: unknown): boolean =>
  (error instanceof Error && "syscall" in error) || environmentErrors.test(messageOf(error));

/**
 * Runs a check inside the probe process. An error that `check` throws is the result, unless the machine caused it.
 */
export const runAsProbe = async (check: () => Promise<void>): Promise<void> => {
  // Exit when the parent is gone. The next start runs its own probe.
  process.once("disconnect", () => process.exit(0));
  process.channel?.unref();
  try {
    await check();
    process.exitCode = 0;
  } catch (error) {
    process.stdout.write(messageOf(error));
    process.exitCode = isEnvironmentError(error) ? unreadExitCode : corruptExitCode;
  }
};
