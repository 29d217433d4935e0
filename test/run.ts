/**
 * Runs test files, several at a time except timed ones, and prints a line of totals at the end:
 * `tsx test/run.ts [--tier unit,system,torture] [part of a path]…`. Without a tier every file runs.
 */
import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { packageRoot } from "../src/package-info.ts";
import { bundleTests } from "./bundle.ts";
import { prepareClients, withClients } from "./clients/run-clients.ts";
import { chromiumProgram } from "./helpers/chromium.ts";
import { natsProgram } from "./helpers/nats.ts";
import { type Outcome, type RunOptions, runFiles } from "./run-files.ts";
import { isTimed, needsQuiet, staleEntries, startsEarly, tierNames, tierOf } from "./tiers.ts";

/** Maximum time of one process. */
const timeoutMs = 600_000;

/** Number of `unit` files per process, because starting a process takes longer than most of these files. */
const filesPerProcess = 12;

/** Maximum number of processes at a time. Those of the other tiers wait most of their time, for processes and timeouts. */
const width = {
  units: Math.min(2, availableParallelism()),
  others: Math.min(6, 3 * availableParallelism()),
};

async function main(args: readonly string[]): Promise<number> {
  const { tiers, patterns } = readArguments(args);
  const all = testFiles();
  const stale = staleEntries(all);
  if (stale.length > 0) {
    console.error(`test/tiers.ts names no test file with ${stale.join(", ")}`);
    return 1;
  }
  const files = all
    .filter((file) => tiers.includes(tierOf(file)))
    .filter((file) => patterns.length === 0 || patterns.some((part) => file.includes(part)));
  if (files.length === 0) {
    console.error(`no test file matches ${args.join(" ")}`);
    return 1;
  }
  if (!existsSync(join(packageRoot, "dist", "src", "main.js"))) {
    console.error("dist/ has no program, which the tests run: npm run build first");
    return 1;
  }
  if (files.some((file) => ["system", "torture", "deploy"].includes(tierOf(file)))) {
    console.log(`nats-server: ${natsProgram()}`);
    console.log(`chromium: ${chromiumProgram()}`);
  }
  const clients = files.filter((file) => tierOf(file) === "clients");
  const ours = files.filter((file) => tierOf(file) !== "clients");
  const run = { bundle: await bundleTests(ours), timeoutMs };
  const together = ours.filter((file) => !isTimed(file));
  const units = together.filter((file) => tierOf(file) === "unit");
  const others = together.filter((file) => tierOf(file) !== "unit");
  const quietest = runAll(others.filter(needsQuiet).map(alone), [0], run);
  // Beside the tests, because it waits for the network most of its time.
  const prepared = quietest.then(() => (clients.length > 0 ? prepareClients() : undefined));
  prepared.catch(() => undefined);
  const outcomes = [
    ...(await runOthers(
      quietest,
      slowestFirst(others.filter((file) => !needsQuiet(file))).map(alone),
      run,
    )),
    ...(await runAll(groups(slowestFirst(units)), slots(width.units), run)),
    ...(await runTimed(prepared, ours.filter(isTimed).map(alone), run)),
    ...(await withClients(clients, prepared, (options) =>
      runAll(clients.map(alone), slots(width.others), options),
    )),
  ];
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

const readArguments = (args: readonly string[]) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { tier: { type: "string", default: tierNames.join(",") } },
    allowPositionals: true,
  });
  return { tiers: values.tier.split(","), patterns: positionals };
};

const testFiles = (): readonly string[] =>
  readdirSync(join(packageRoot, "test"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts") && !/^bench|node_modules/.test(path))
    .map((path) => relative(packageRoot, join(packageRoot, "test", path)))
    .sort();

const alone = (file: string): readonly string[] => [file];

const slowestFirst = (files: readonly string[]): readonly string[] => [
  ...files.filter(startsEarly),
  ...files.filter((file) => !startsEarly(file)),
];

/** Divides unit tests among processes. */
const groups = (files: readonly string[]): (readonly string[])[] =>
  Array.from({ length: Math.ceil(files.length / filesPerProcess) }, (_, at) =>
    files.slice(at * filesPerProcess, (at + 1) * filesPerProcess),
  );

/** Numbers of the processes that run at the same time. */
const slots = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, slot) => slot);

/** Runs processes one by one, after the clients are prepared, because that takes a core. */
const runTimed = async (
  prepared: Promise<void>,
  waiting: (readonly string[])[],
  options: RunOptions,
): Promise<readonly Outcome[]> => {
  await Promise.allSettled([prepared]);
  return runAll(waiting, [0], options);
};

/** Runs processes in two of the slots, and in all of them when the quietest are done, which run beside. */
const runOthers = async (
  quietest: Promise<readonly Outcome[]>,
  waiting: (readonly string[])[],
  options: RunOptions,
): Promise<readonly Outcome[]> => {
  const all = slots(width.others);
  const parts = await Promise.all([
    quietest,
    runAll(waiting, all.slice(-2), options),
    quietest.then(() => runAll(waiting, all.slice(0, -2), options)),
  ]);
  return parts.flat();
};

/** @param waiting processes to run, which are removed when they start: several calls may share them */
async function runAll(
  waiting: (readonly string[])[],
  slots: readonly number[],
  options: RunOptions,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const work = async (slot: number): Promise<void> => {
    const env = { ...options.env, VITRINE_TEST_SLOT: String(slot) };
    for (let files = waiting.shift(); files !== undefined; files = waiting.shift()) {
      const outcome = await runFiles(files, { ...options, env });
      report(outcome);
      outcomes.push(outcome);
    }
  };
  await Promise.all(slots.map(work));
  return outcomes;
}

function report({ files, passed, failed, output, seconds }: Outcome): void {
  const mark = failed === 0 ? "ok  " : "FAIL";
  const [first = "", ...more] = files;
  const name = more.length > 0 ? `${first} and ${more.length} more, to ${more.at(-1)}` : first;
  console.log(`${mark} ${name}  ${passed} passed, ${failed} failed  ${seconds.toFixed(1)} s`);
  if (failed > 0) console.log(output);
}

process.exitCode = await main(process.argv.slice(2));
