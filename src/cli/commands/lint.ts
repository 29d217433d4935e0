import { json } from "../command-spec.ts";
import { defineCommand, type Report } from "../define-command.ts";
import {
  type CheckFileResult,
  checkFiles,
  showLines,
  showWarnings,
} from "../event-files/check-files.ts";
import { eventFiles, withInputFiles } from "../event-files/input-files.ts";
import { formatCount, print } from "../terminal/output.ts";

export const lintCommand = defineCommand({
  settings: [],
  argument: eventFiles,
  options: { json },
  examples: ["vitrine lint shop.ndjson"],
  run: ({ argument: paths, options }) => lint(paths, !options.json),
});

/** Checks event files against the contract without appending. The exit code is 1 when a line is bad. */
const lint = (paths: readonly string[], showProgress: boolean): Promise<Report> =>
  withInputFiles(paths, async (inputs) => {
    const files = await checkFiles(inputs, { now: Date.now(), showProgress });
    return {
      json: summary(files),
      show: () => files.forEach(show),
      exitCode: files.some(({ badCount }) => badCount > 0) ? 1 : 0,
    };
  });

const summary = (files: readonly CheckFileResult[]) => ({
  valid: files.every(({ badCount }) => badCount === 0),
  files: files.map(({ input, good, badCount }) => ({ file: input.name, good, bad: badCount })),
  refused: files.flatMap(({ bad }) => bad),
  warnings: files.flatMap(({ warnings }) => warnings),
});

const show = ({ input, good, bad, badCount, warnings }: CheckFileResult): void => {
  showLines(bad, badCount);
  showWarnings(warnings);
  const verdict = badCount > 0 ? `, ${formatCount(badCount, "bad line")}` : "";
  print(`${input.name}: ${formatCount(good, "good event")}${verdict}`);
};
