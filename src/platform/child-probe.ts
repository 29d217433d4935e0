import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { messageOf } from "../errors.ts";

/** What a look at files came to: undefined when nothing is wrong, else what was found, in one sentence. */
export type Found = string | undefined;

/** Milliseconds. A tree of pages that leads back to itself is read for ever; hundreds of gigabytes take less. */
const probeTimeoutMs = 3_600_000;

/**
 * What a damaged LMDB file ends its readers by: pages that are not there, assertions, and whatever comes of memory that
 * was written over, such as V8's own traps. Others, such as SIGKILL for want of memory, tell nothing of it.
 */
export const signalsOfDamage: readonly string[] = [
  "SIGBUS",
  "SIGSEGV",
  "SIGABRT",
  "SIGTRAP",
  "SIGILL",
  "SIGFPE",
];

/**
 * What V8 and the library of C++ say of memory that they were not given: they end a process by the same signals.
 * @param stderr what the process said last
 */
export const tellsOfWant = (stderr: string): boolean =>
  /process OOM|out of memory|bad_alloc/i.test(stderr);

/** @param stderr what the process said last */
export const tellsOfDamage = (killedBy: string | null, stderr: string): boolean =>
  killedBy !== null && signalsOfDamage.includes(killedBy) && !tellsOfWant(stderr);

/** The exit code of a look that found damage. */
const corruptExitCode = 9;

/**
 * Looks at files in a process of their own: a damaged LMDB file ends whoever reads it, by a signal nobody can catch.
 * A look that could not be taken, for want of memory, rights or room, finds nothing.
 * @param program module beside which this one was built, such as `import.meta.url` of its neighbour
 */
export const lookFromOutside = async (
  program: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<Found> => {
  const child = signal?.aborted ? undefined : spawnProbe([fileURLToPath(program), ...args]);
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
  if (hasTimedOut) return "reading it does not come to an end";
  if (tellsOfDamage(killedBy, output.stderr)) return `reading it ends a process (${killedBy})`;
  return code === corruptExitCode ? output.stdout.trim() : undefined;
};

type ProbeProcess = ChildProcess & { readonly stdout: Readable; readonly stderr: Readable };

/** Node tells of some wants by an event, throws others, and of some gives a process that has no ends. */
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
    // As where it is told by an event.
  }
  return undefined;
};

const environmentErrors =
  /permission denied|not permitted|allocate memory|too many open files|no space left|read-only file system|temporarily unavailable|READERS_FULL|MAP_RESIZED/i;

/** True for errors of the machine, such as the system's own, which say nothing of the file. */
export const isOfTheMachine = (error: unknown): boolean =>
  (error instanceof Error && "syscall" in error) || environmentErrors.test(messageOf(error));

/** The inside of such a process: what `look` throws is what was found, unless the machine is the matter. */
export const lookAndTell = async (check: () => Promise<void>): Promise<void> => {
  // Nobody is left to tell: whoever asked may have been killed, and the next one looks for himself.
  process.once("disconnect", () => process.exit(0));
  process.channel?.unref();
  try {
    await check();
    process.exitCode = 0;
  } catch (error) {
    process.stdout.write(messageOf(error));
    process.exitCode = isOfTheMachine(error) ? 0 : corruptExitCode;
  }
};
