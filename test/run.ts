/** What `npm test` runs: every test file in a process of its own, two at a time, and one true line at the end. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { packageRoot } from "../src/root.ts";
import { chromiumProgram } from "./helpers/chromium.ts";
import { natsProgram } from "./helpers/nats.ts";

interface Outcome {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly output: string;
  readonly seconds: number;
}

/** In memory where that can be had: waiting for a disk would be most of the time. TMPDIR chooses another place. */
const temporaryRoot = process.env.TMPDIR ?? (existsSync("/dev/shm") ? "/dev/shm" : tmpdir());

/** Milliseconds a file may take; the long form of torture takes hours. */
const patience = process.env.VITRINE_TORTURE === "long" ? 4 * 3_600_000 : 300_000;

/** @param patterns parts of paths; none means all */
async function main(patterns: readonly string[]): Promise<number> {
  const files = testFiles().filter(
    (file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)),
  );
  if (files.length === 0) {
    console.error(`no test file matches ${patterns.join(", ")}`);
    return 1;
  }
  console.log(`nats-server: ${natsProgram()}`);
  console.log(`chromium: ${chromiumProgram()}`);
  const outcomes = await runAll(files, Math.min(2, availableParallelism()));
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

const testFiles = (): readonly string[] =>
  readdirSync(join(packageRoot, "test"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts") && !path.startsWith("bench"))
    .map((path) => relative(packageRoot, join(packageRoot, "test", path)))
    .sort();

async function runAll(files: readonly string[], width: number): Promise<readonly Outcome[]> {
  const waiting = [...files];
  const outcomes: Outcome[] = [];
  const work = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const outcome = await runFile(file);
      tell(outcome);
      outcomes.push(outcome);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return outcomes;
}

async function runFile(file: string): Promise<Outcome> {
  const begun = performance.now();
  const temporary = mkdtempSync(join(temporaryRoot, "vitrine-run-"));
  const child = spawn(process.execPath, ["--import", "tsx", file], {
    cwd: packageRoot,
    env: { ...process.env, VITRINE_TEST_BUILT: "1", TMPDIR: temporary },
    stdio: ["ignore", "pipe", "pipe"],
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
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => {
      output += text;
    });
  }
  const late = setTimeout(killAll, patience);
  const [code, signal] = await once(child, "exit");
  clearTimeout(late);
  killAll();
  process.off("exit", killAll);
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  const seconds = (performance.now() - begun) / 1000;
  return { file, output, seconds, ...countsOf(output, signal ?? code) };
}

/** By uvu's own totals; a file that ran nothing, skipped something or died counts as one failure at least. */
function countsOf(output: string, end: unknown): Pick<Outcome, "passed" | "failed"> {
  const total = lastNumber(output, /Total: +(\d+)/g);
  const passed = lastNumber(output, /Passed: +(\d+)/g);
  const isWhole = end === 0 && total > 0;
  return { passed, failed: isWhole ? total - passed : Math.max(1, total - passed) };
}

const lastNumber = (output: string, pattern: RegExp): number =>
  Number([...plain(output).matchAll(pattern)].at(-1)?.[1] ?? 0);

/** Without the colours uvu may have added. */
const plain = (text: string): string => text.replace(/\u001b\[[\d;]*m/g, "");

function tell({ file, passed, failed, output, seconds }: Outcome): void {
  const mark = failed === 0 ? "ok  " : "FAIL";
  console.log(`${mark} ${file}  ${passed} passed, ${failed} failed  ${seconds.toFixed(1)} s`);
  if (failed > 0) console.log(output);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));
process.exitCode = await main(process.argv.slice(2));
