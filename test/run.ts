/** What `npm test` runs: every test file in a process of its own, mostly two at a time, and one true line at the end. */
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { packageRoot } from "../src/package-info.ts";
import { chromiumProgram } from "./helpers/chromium.ts";
import { natsProgram } from "./helpers/nats.ts";
import { type Outcome, runFile } from "./run-file.ts";

/** Milliseconds a file may take. */
const patience = 300_000;

/** They measure how long something takes: nothing runs beside them. */
const alone = [
  "test/torture/soak.test.ts",
  "test/torture/events.test.ts",
  "test/torture/rebuild-load.test.ts",
  "test/surfaces/markdown/html.test.ts",
  "test/processes/restart.test.ts",
];
const isAlone = (file: string): boolean => alone.includes(file);

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
  const outcomes = [
    ...(await runAll(
      files.filter((file) => !isAlone(file)),
      Math.min(2, availableParallelism()),
    )),
    ...(await runAll(files.filter(isAlone), 1)),
  ];
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
      const outcome = await runFile(file, { patience });
      tell(outcome);
      outcomes.push(outcome);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return outcomes;
}

function tell({ file, passed, failed, output, seconds }: Outcome): void {
  const mark = failed === 0 ? "ok  " : "FAIL";
  console.log(`${mark} ${file}  ${passed} passed, ${failed} failed  ${seconds.toFixed(1)} s`);
  if (failed > 0) console.log(output);
}

process.exitCode = await main(process.argv.slice(2));
