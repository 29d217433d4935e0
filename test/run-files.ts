/** Runs bundled test files in a process of their own, with a temporary directory that goes with it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../src/package-info.ts";

export interface Outcome {
  readonly files: readonly string[];
  readonly passed: number;
  readonly failed: number;
  readonly output: string;
  readonly seconds: number;
}

export interface RunOptions {
  /** Directory of the bundled test files, see `bundleTests`. Without it the source runs. */
  readonly bundle?: string;
  /** Program that runs them; the Node of this process by default. */
  readonly node?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Maximum time of the process. */
  readonly timeoutMs: number;
  /** Called with the progress of a torture test, in the unit of that test. */
  readonly onDone?: (done: number) => void;
}

/** Time in ms from the totals to the kill: a failed test may leave processes that keep the file running. */
const graceMs = 10_000;

/** A directory in memory if there is one, because disk writes would take most of the time. TMPDIR overrides it. */
const temporaryRoot = process.env.TMPDIR ?? (existsSync("/dev/shm") ? "/dev/shm" : tmpdir());

/** Shows the lines of the source in the stack of a failure. */
const nodeOptions = ["--enable-source-maps"];

/** Runs files against the existing build. @param files paths relative to the package */
export const runFiles = async (
  files: readonly string[],
  { bundle, node = process.execPath, env = {}, timeoutMs, onDone }: RunOptions,
): Promise<Outcome> => {
  const begun = performance.now();
  const temporary = mkdtempSync(join(temporaryRoot, "vitrine-run-"));
  const own = {
    VITRINE_TEST_BUILT: "1",
    TMPDIR: temporary,
    ...(bundle !== undefined && {
      VITRINE_TEST_BUNDLE: bundle,
      // Saves a fifth of the time of a start, if Node is 22.8 or newer.
      NODE_COMPILE_CACHE: join(bundle, "compiled"),
    }),
  };
  const [options, programs] =
    bundle === undefined
      ? [["--import", "tsx"], files]
      : [nodeOptions, files.map((file) => join(bundle, file.replace(/\.ts$/, ".js")))];
  const child = spawn(node, [...options, "test/run-inside.mjs", ...programs], {
    cwd: packageRoot,
    env: { ...process.env, ...own, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // The process leads its own group, so that the kill below reaches its children.
    detached: true,
  });
  const killAll = () => {
    try {
      process.kill(-Number(child.pid), "SIGKILL");
    } catch {
      // The group has exited already.
    }
  };
  process.on("exit", killAll);
  let output = "";
  let late = setTimeout(killAll, timeoutMs);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (text) => {
      output += text;
      if (!totals.test(plain(output.slice(-200)))) return;
      clearTimeout(late);
      late = setTimeout(killAll, graceMs);
    });
  }
  child.on("message", (done) => onDone?.(Number(done)));
  const [code, signal] = await once(child, "exit");
  clearTimeout(late);
  killAll();
  process.off("exit", killAll);
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  const seconds = (performance.now() - begun) / 1000;
  if (code !== 0) output += `\nit ended ${signal ? `by ${signal}` : `with code ${code}`}\n`;
  return { files, output, seconds, ...readCounts(output, signal ?? code) };
};

/** Matches the end of uvu's output. */
const totals = /Skipped: +\d+\s+Duration: +[\d.]+ms/;

/** Reads uvu's totals. A file that ran no test, skipped a test or crashed counts as at least one failure. */
const readCounts = (output: string, end: unknown): Pick<Outcome, "passed" | "failed"> => {
  const total = lastNumber(output, /Total: +(\d+)/g);
  const passed = lastNumber(output, /Passed: +(\d+)/g);
  const skipped = lastNumber(output, /Skipped: +(\d+)/g);
  const isInteger = end === 0 && total > 0 && skipped === 0;
  return { passed, failed: isInteger ? total - passed : Math.max(1, total - passed) };
};

const lastNumber = (output: string, pattern: RegExp): number =>
  Number([...plain(output).matchAll(pattern)].at(-1)?.[1] ?? 0);

/** Removes the colours that uvu may have added. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour starts with ESC
const plain = (text: string): string => text.replace(/\u001b\[[\d;]*m/g, "");

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));
