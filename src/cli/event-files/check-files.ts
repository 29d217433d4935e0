import { type CheckedLine, checkLines, readEventFile } from "../../events/file.ts";
import { counted, print } from "../terminal/output.ts";
import { progressBar } from "../terminal/progress-bar.ts";
import type { Input } from "./inputs.ts";
import { watchOddities } from "./warnings.ts";

/** A line that was refused. */
export interface BadLine {
  readonly file: string;
  readonly line: number;
  /** Path of the member at fault; null when the whole line is. */
  readonly field: string | null;
  readonly reason: string;
}

/** What the check of one file came to. */
export interface CheckedFile {
  readonly input: Input;
  readonly good: number;
  /** The first thousand of them. */
  readonly bad: readonly BadLine[];
  readonly badCount: number;
  /** Lines that are taken, but not quite as they are written, or are hardly meant so: the first thousand. */
  readonly warnings: readonly BadLine[];
}

const mostKept = 1_000;

/**
 * Checks a whole event file against the contract, in little memory whatever its size.
 * @param now the clock times are compared with, in milliseconds since 1970
 */
export const checkFile = async (
  input: Input,
  now: number,
  showProgress: boolean,
): Promise<CheckedFile> => {
  let good = 0;
  let badCount = 0;
  const bad: BadLine[] = [];
  const warnings: BadLine[] = [];
  const oddities = watchOddities(now);
  const bar = progressBar(`checking ${input.name}`, input.bytes, "bytes", showProgress);
  try {
    for await (const line of checkLines(measured(input, bar.at), now)) {
      if (line.ok) {
        good += 1;
        const at = { file: input.name, line: line.line };
        for (const odd of oddities(line.event)) {
          if (warnings.length < mostKept) warnings.push({ ...at, ...odd });
        }
      } else {
        badCount += 1;
        if (bad.length < mostKept) bad.push(badLine(input, line));
      }
    }
  } finally {
    bar.end();
  }
  return { input, good, bad, badCount, warnings };
};

async function* measured(input: Input, at: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of readEventFile(input.path)) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    read += bytes.length;
    at(read);
    yield bytes;
  }
}

export const badLine = (
  { name }: Input,
  { line, rejection }: Extract<CheckedLine, { ok: false }>,
): BadLine => ({ file: name, line, field: rejection.field, reason: rejection.reason });

/** Most bad lines shown to a person. */
const mostShown = 20;

/** `file:line: field: reason`, one line each, and how many more there are. */
export const showLines = (lines: readonly BadLine[], count: number): void => {
  for (const { file, line, field, reason } of lines.slice(0, mostShown)) {
    print(`${file}:${line}: ${field ?? "line"}: ${reason}`);
  }
  if (count > mostShown) print(`… and ${counted(count - mostShown, "more line")}`);
};

export const showWarnings = (warnings: readonly BadLine[]): void =>
  showLines(
    warnings.map((warning) => ({ ...warning, reason: `warning: ${warning.reason}` })),
    warnings.length,
  );
