/**
 * Runs the drills and writes the outputs of their commands into `deploy/runbook.md`:
 * `npx tsx test/deploy/drills/write-runbook.ts [part of a name]…`. An output that differs from the page only in what differs from
 * run to run stays as it is.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../../../src/package-info.ts";
import { bundleTests } from "../../bundle.ts";
import { type Outcome, runFiles } from "../../run-files.ts";
import { comparable } from "./harness/comparable.ts";
import { pagePath, readPage, replaceOutputs } from "./harness/page.ts";
import type { DrillOutputs } from "./harness/shown.ts";

const folder = join("test", "deploy", "drills");

const main = async (parts: readonly string[]): Promise<number> => {
  execFileSync(process.execPath, ["deploy/build.mjs"], { cwd: packageRoot });
  const files = readdirSync(join(packageRoot, folder))
    .filter((name) => name.endsWith(".test.ts"))
    .filter((name) => parts.length === 0 || parts.some((part) => name.includes(part)))
    .map((name) => join(folder, name));
  const outputs = mkdtempSync(join(tmpdir(), "vitrine-drills-"));
  const bundle = await bundleTests(files);
  let failed = 0;
  const work = async (): Promise<void> => {
    for (let file = files.shift(); file !== undefined; file = files.shift()) {
      const env = { VITRINE_DRILL_OUTPUTS: outputs };
      const outcome = await runFiles([file], { bundle, timeoutMs: 120_000, env });
      failed += outcome.failed;
      report(file, outcome);
    }
  };
  await Promise.all(Array.from({ length: 3 }, work));
  writePage(outputs);
  rmSync(outputs, { recursive: true });
  return failed === 0 ? 0 : 1;
};

const report = (file: string, { failed, output, seconds }: Outcome): void => {
  console.log(`${failed === 0 ? "ok  " : "FAIL"} ${file}  ${seconds.toFixed(1)} s`);
  if (failed > 0) console.log(output);
};

const writePage = (directory: string): void => {
  const drills = readdirSync(directory).map(
    (name): DrillOutputs => JSON.parse(readFileSync(join(directory, name), "utf8")),
  );
  const page = replaceOutputs(readPage(), (title, { commands, output }) => {
    const written = drills.find((drill) => drill.title === title)?.outputs[commands];
    if (written === undefined) return output;
    const [before, after] = [output ?? "", written.output].map((text) =>
      comparable(text, written.numbersVary),
    );
    return before === after ? output : written.output;
  });
  writeFileSync(pagePath, page);
};

process.exitCode = await main(process.argv.slice(2));
