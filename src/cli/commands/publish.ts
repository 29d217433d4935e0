import type { Flags } from "../../config.ts";
import type { EventLog } from "../../event-log/event-log.ts";
import type { CommandLine } from "../define-command.ts";
import { appendFiles, emptyAppendResult } from "../event-files/append-all.ts";
import type { AppendFileResult } from "../event-files/append-file.ts";
import {
  type BadLine,
  type CheckFileResult,
  checkFiles,
  showLines,
  showWarnings,
} from "../event-files/check-files.ts";
import { type InputFile, openInputFiles } from "../event-files/input-files.ts";
import { hasJournal, openLogToAppend } from "../event-log.ts";
import { type LogConfig, logSettings } from "../shared-options.ts";
import { formatCount, print, printError, printJson } from "../terminal/output.ts";

export const describePublish = (line: CommandLine): void => {
  line
    .command({
      usage: "publish",
      description: "check event files (NDJSON) and append them to the event log",
      settings: logSettings,
      examples: [
        "vitrine publish shop.ndjson",
        "export-shop | vitrine publish - --events nats://127.0.0.1:4222",
      ],
    })
    .argument("<file...>", "NDJSON files of CloudEvents, - for standard input")
    .option("--skip-invalid", "append the good lines of a file that has bad ones", false)
    .option("--json", "print JSON", false)
    .addHelpText("after", allOrNothing)
    .action(async (files: string[], flags: Flags & PublishOptions) =>
      line.done(await publish(line.config(flags, logSettings), files, flags)),
    );
};

const allOrNothing = `
A file with a bad line is rejected completely. Another event under a used source and id is a bad line.
A journal is searched for such events before anything is appended. A broker reports them only at the
append: the other lines are then appended, the bad line is named, and the exit code is 1.`;

export interface PublishOptions {
  readonly json: boolean;
  readonly skipInvalid: boolean;
}

/** Output of `--json`. */
export interface PublishReport extends AppendFileResult {
  /** Warnings about accepted lines; the first thousand of each file. */
  readonly warnings: readonly BadLine[];
}

/**
 * Checks all files, then appends them all; a bad line prevents every append (Contract §1).
 * A broker reports events that it already holds only at the append: it rejects such a line although the others are
 * appended.
 * @returns exit code: 1 when a line was rejected
 */
export const publish = async (
  config: LogConfig,
  paths: readonly string[],
  options: PublishOptions,
): Promise<number> => {
  const inputs = await openInputFiles(paths);
  try {
    return await publishFiles(config, inputs.files, options);
  } finally {
    inputs.close();
  }
};

const publishFiles = async (
  config: LogConfig,
  inputs: readonly InputFile[],
  options: PublishOptions,
): Promise<number> => {
  const log = lazyLog(config);
  try {
    const now = Date.now();
    const find = (await log.journal())?.find;
    const checking = { now, showProgress: !options.json, ...(find && { find }) };
    const files = await checkFiles(inputs, checking);
    const badCount = files.reduce((sum, file) => sum + file.badCount, 0);
    const isStopped = badCount > 0 && !options.skipInvalid;
    const appended = isStopped
      ? { ...emptyAppendResult, address: "" }
      : await append(await log.open(), files, now, options);
    const refused = [...files.flatMap(({ bad }) => bad), ...appended.refused];
    const refusedCount = badCount + appended.refusedCount;
    const warnings = files.flatMap((file) => file.warnings);
    report({ ...appended, refused, refusedCount, warnings }, isStopped, options);
    return refusedCount > 0 ? 1 : 0;
  } finally {
    await log.close();
  }
};

/** Opens the log to publish to, at most once. */
const lazyLog = (config: LogConfig) => {
  let opened: EventLog | undefined;
  const open = async (): Promise<EventLog> => {
    opened ??= await openLogToAppend(config);
    return opened;
  };
  return {
    open,
    /** Opens an existing journal, which can be searched before an append; creates none. */
    journal: async () => (hasJournal(config) ? open() : undefined),
    close: async () => opened?.close(),
  };
};

interface AppendedAll extends AppendFileResult {
  readonly address: string;
}

const append = async (
  eventLog: EventLog,
  files: readonly CheckFileResult[],
  now: number,
  { json, skipInvalid }: PublishOptions,
): Promise<AppendedAll> => ({
  ...(await appendFiles(eventLog, files, { now, skipInvalid }, !json)),
  address: eventLog.address,
});

const report = (
  published: PublishReport & { readonly address: string },
  isStopped: boolean,
  { json }: PublishOptions,
): void => {
  const { accepted, duplicates, lastSequence, refused, refusedCount, warnings, address } =
    published;
  if (json) {
    printJson({
      ...{ accepted, duplicates, refused, refusedCount, warnings, lastSequence },
    } satisfies PublishReport);
    return;
  }
  showLines(refused, refusedCount);
  showWarnings(warnings);
  if (isStopped) {
    printError(
      `vitrine: nothing was published: ${formatCount(refusedCount, "line was", "lines were")} refused\n  -> mend them, or publish the others with --skip-invalid`,
    );
    return;
  }
  const already = duplicates > 0 ? `, ${duplicates.toLocaleString("en")} were already there` : "";
  const skipped =
    refusedCount > 0 ? `, ${formatCount(refusedCount, "line was", "lines were")} refused` : "";
  print(`published ${formatCount(accepted, "event")} to ${address}${already}${skipped}`);
};
