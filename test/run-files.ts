/** Runs test files in a process of their own, with a temporary directory that goes with it. */
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
  readonly env?: Readonly<Record<string, string>>;
  /** How long the process may take. */
  readonly timeoutMs: number;
  /** Called as a torture test tells how far it is, in its own unit. */
  readonly onDone?: (done: number) => void;
}

/** Milliseconds a file may go on after its totals: a test that failed leaves what it started, which keeps it. */
const grace = 10_000;

/** In memory where that can be had: waiting for a disk would be most of the time. TMPDIR chooses another place. */
const temporaryRoot = process.env.TMPDIR ?? (existsSync("/dev/shm") ? "/dev/shm" : tmpdir());

const preloaded = ["tsx", "./test/own-temporary-directory.mjs"].flatMap((each) => [
  "--import",
  each,
]);

/** @param files relative to the package; they test what was built before */
export const runFiles = async (
  files: readonly string[],
  { env = {}, timeoutMs, onDone }: RunOptions,
): Promise<Outcome> => {
  const begun = performance.now();
  const temporary = mkdtempSync(join(temporaryRoot, "vitrine-run-"));
  const child = spawn(process.execPath, [...preloaded, "test/run-inside.mjs", ...files], {
    cwd: packageRoot,
    env: { ...process.env, VITRINE_TEST_BUILT: "1", VITRINE_TMPDIR: temporary, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // A group of its own, so that nothing it started outlives it.
    detached: true,
  });
  const killAll = () => {
    try {
      process.kill(-Number(child.pid), "SIGKILL");
    } catch {
      // Nothing is left of it.
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
      late = setTimeout(killAll, grace);
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
  return { files, output, seconds, ...countsOf(output, signal ?? code) };
};

/** The end of what uvu prints. */
const totals = /Skipped: +\d+\s+Duration: +[\d.]+ms/;

/** By uvu's own totals; a file that ran nothing, skipped something or died counts as one failure at least. */
const countsOf = (output: string, end: unknown): Pick<Outcome, "passed" | "failed"> => {
  const total = lastNumber(output, /Total: +(\d+)/g);
  const passed = lastNumber(output, /Passed: +(\d+)/g);
  const skipped = lastNumber(output, /Skipped: +(\d+)/g);
  const isInteger = end === 0 && total > 0 && skipped === 0;
  return { passed, failed: isInteger ? total - passed : Math.max(1, total - passed) };
};

const lastNumber = (output: string, pattern: RegExp): number =>
  Number([...plain(output).matchAll(pattern)].at(-1)?.[1] ?? 0);

/** Without the colours uvu may have added. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with ESC
const plain = (text: string): string => text.replace(/\u001b\[[\d;]*m/g, "");

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));
