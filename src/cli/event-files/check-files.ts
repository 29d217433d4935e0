import type { EventLog } from "../../event-log/event-log.ts";
import type { ShopEvent } from "../../events/event.ts";
import { readEventFile, type ValidatedLine, validateNdjson } from "../../events/ndjson.ts";
import type { SchemaViolation } from "../../events/schema-violation.ts";
import { formatCount, print } from "../terminal/output.ts";
import { progressBar } from "../terminal/progress-bar.ts";
import { type IdentityCheck, openIdentityCheck } from "./identity-check.ts";
import type { InputFile } from "./input-files.ts";
import { type LintModel, type LintWarning, openLintModel } from "./lint/model.ts";
import { createLinter } from "./lint/warnings.ts";

/** A rejected line, or one with a warning. */
export interface BadLine {
  readonly file: string;
  readonly line: number;
  /** Path of the invalid member; null when the line itself is invalid. */
  readonly field: string | null;
  readonly reason: string;
}

export interface CheckFileResult {
  readonly input: InputFile;
  /** Bad lines that are valid by the schemas, so that decoding accepts them. */
  readonly unfit: ReadonlySet<number>;
  readonly good: number;
  /** The first thousand bad lines. */
  readonly bad: readonly BadLine[];
  readonly badCount: number;
  /** Lines that are accepted with a change, or are probably mistakes; the first thousand. */
  readonly warnings: readonly BadLine[];
}

export const maxKeptLines = 1_000;

interface CheckOptions {
  /** Time that event times are compared with, in milliseconds since 1970. */
  readonly now: number;
  readonly showProgress: boolean;
  /** Finds a message in the log; absent when that is impossible before an append. */
  readonly find?: EventLog["find"];
}

/** Checks event files against the contract, and their ids across all files. Memory stays bounded for any file size. */
export const checkFiles = async (
  inputs: readonly InputFile[],
  options: CheckOptions,
): Promise<readonly CheckFileResult[]> => {
  const [identities, model] = [openIdentityCheck(options.find), openLintModel()];
  const files: CheckFileResult[] = [];
  for (const input of inputs) files.push(await checkFile(input, options, identities, model));
  return files;
};

/** @param identities of the files before @param model of the files before */
const checkFile = async (
  input: InputFile,
  { now, showProgress }: CheckOptions,
  identities: IdentityCheck,
  model: LintModel,
): Promise<CheckFileResult> => {
  let good = 0;
  let badCount = 0;
  const bad: BadLine[] = [];
  const unfit = new Set<number>();
  const reject = (line: BadLine): void => {
    badCount += 1;
    if (bad.length < maxKeptLines) bad.push(line);
  };
  const warn = (lines: readonly LintWarning[]): void => {
    const free = Math.max(0, maxKeptLines - warnings.length);
    warnings.push(...lines.slice(0, free).map((warning) => ({ file: input.name, ...warning })));
  };
  identities.begin(input);
  const warnings: BadLine[] = [];
  const linter = createLinter(now, model);
  const bar = progressBar(`checking ${input.name}`, input.bytes, "bytes", showProgress);
  try {
    for await (const line of validateNdjson(readWithProgress(input, bar.update), now)) {
      if (!line.ok) {
        reject(toBadLine(input, line));
        continue;
      }
      const fault = selfParent(line.event) ?? (await identities.findFault(line));
      if (fault === undefined) {
        good += 1;
        warn(linter.check(line.event));
      } else {
        unfit.add(line.line);
        reject({ file: input.name, line: line.line, ...fault });
      }
    }
    warn(linter.finish());
  } finally {
    bar.end();
  }
  return { input, unfit, good, bad, badCount, warnings };
};

/** Finds a category that is its own parent. The projection rejects it, because no later event can correct it. */
const selfParent = (event: ShopEvent): SchemaViolation | undefined =>
  event.type === "shop.category.upserted" && event.data.parentId === event.data.id
    ? {
        field: "data.parentId",
        reason: "data.parentId is the category itself: name another one, or null at the root",
      }
    : undefined;

/** Reads an event file. @param at receives how many bytes were read, before each chunk is used */
export async function* readWithProgress(
  input: InputFile,
  at: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of readEventFile(input.path)) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    read += bytes.length;
    at(read);
    yield bytes;
  }
}

const toBadLine = (
  { name }: InputFile,
  { line, rejection }: Extract<ValidatedLine, { ok: false }>,
): BadLine => ({ file: name, line, field: rejection.field, reason: rejection.reason });

const maxShownLines = 20;

/** Prints `file:line: field: reason` for each line, and how many more there are. */
export const showLines = (lines: readonly BadLine[], count: number): void => {
  for (const { file, line, field, reason } of lines.slice(0, maxShownLines)) {
    print(`${file}:${line}: ${field ?? "line"}: ${reason}`);
  }
  if (count > maxShownLines) print(`… and ${formatCount(count - maxShownLines, "more line")}`);
};

export const showWarnings = (warnings: readonly BadLine[]): void =>
  showLines(
    warnings.map((warning) => ({ ...warning, reason: `warning: ${warning.reason}` })),
    warnings.length,
  );
