import type { CommandLine } from "../define-command.ts";
import {
  type CheckFileResult,
  checkFiles,
  showLines,
  showWarnings,
} from "../event-files/check-files.ts";
import { openInputFiles } from "../event-files/input-files.ts";
import { formatCount, print, printJson } from "../terminal/output.ts";

export const describeLint = (line: CommandLine): void => {
  line
    .command({
      usage: "lint",
      description: "check event files (NDJSON) without appending",
      settings: [],
      examples: ["vitrine lint shop.ndjson"],
    })
    .argument("<file...>", "NDJSON files of CloudEvents, - for standard input")
    .option("--json", "print JSON", false)
    .action(async (files: string[], flags: { json: boolean }) =>
      line.done(await lint(files, flags)),
    );
};

/**
 * Checks event files against the contract without appending.
 * @returns exit code: 1 when a line is bad
 */
export const lint = async (
  paths: readonly string[],
  { json }: { readonly json: boolean },
): Promise<number> => {
  const inputs = await openInputFiles(paths);
  try {
    const files = await checkFiles(inputs.files, { now: Date.now(), showProgress: !json });
    if (json) printJson(summary(files));
    else for (const file of files) show(file);
    return files.some(({ badCount }) => badCount > 0) ? 1 : 0;
  } finally {
    inputs.close();
  }
};

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
