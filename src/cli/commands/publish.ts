import type { EventLog } from "../../event-log/event-log.ts";
import { flag, json } from "../command-spec.ts";
import { defineCommand, type Report } from "../define-command.ts";
import {
  type AppendFileResult,
  appendFiles,
  emptyAppendResult,
} from "../event-files/append-files.ts";
import {
  type BadLine,
  type CheckFileResult,
  checkFiles,
  showLines,
  showWarnings,
} from "../event-files/check-files.ts";
import { eventFiles, type InputFile, withInputFiles } from "../event-files/input-files.ts";
import { hasJournal, openLogToAppend } from "../event-log.ts";
import { type LogConfig, logSettings } from "../shared-options.ts";
import { formatCount, print, printError } from "../terminal/output.ts";

export const publishCommand = defineCommand({
  settings: logSettings,
  argument: eventFiles,
  options: { skipInvalid: flag("append the good lines of a file that has bad ones"), json },
  examples: [
    "vitrine publish shop.ndjson",
    "export-shop | vitrine publish - --events nats://127.0.0.1:4222",
  ],
  notes: `A file with a bad line is rejected completely. An event with the source and id of another event is a bad line.
A journal is searched for such events before anything is appended. A broker reports them only at the
append: the other lines are then appended, the bad line is named, and the exit code is 1.`,
  run: ({ config, argument: paths, options }) =>
    withInputFiles(paths, (inputs) => publish(config, inputs, options)),
});

interface PublishOptions {
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
 * appended. The exit code is 1 when a line was rejected.
 */
const publish = async (
  config: LogConfig,
  inputs: readonly InputFile[],
  options: PublishOptions,
): Promise<Report> => {
  const log = lazyLog(config);
  try {
    const now = Date.now();
    const find = (await log.journal())?.find;
    const checking = { now, showProgress: !options.json, ...(find && { find }) };
    const files = await checkFiles(inputs, checking);
    const badCount = files.reduce((sum, file) => sum + file.badCount, 0);
    const appended =
      badCount > 0 && !options.skipInvalid
        ? undefined
        : await append(await log.open(), files, now, options);
    return toReport(files, badCount, appended);
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

/** @param appended undefined when bad lines prevented the append */
const toReport = (
  files: readonly CheckFileResult[],
  badCount: number,
  appended: AppendedAll | undefined,
): Report => {
  const { accepted, duplicates, lastSequence, ...rejected } = appended ?? emptyAppendResult;
  const refused = [...files.flatMap(({ bad }) => bad), ...rejected.refused];
  const refusedCount = badCount + rejected.refusedCount;
  const warnings = files.flatMap((file) => file.warnings);
  return {
    json: {
      ...{ accepted, duplicates, refused, refusedCount, warnings, lastSequence },
    } satisfies PublishReport,
    show() {
      showLines(refused, refusedCount);
      showWarnings(warnings);
      showAppended(appended, refusedCount);
    },
    exitCode: refusedCount > 0 ? 1 : 0,
  };
};

const showAppended = (appended: AppendedAll | undefined, refusedCount: number): void => {
  const refused = `${formatCount(refusedCount, "line was", "lines were")} refused`;
  if (appended === undefined) {
    printError(
      `vitrine: nothing was published: ${refused}\n  -> fix them, or publish the others with --skip-invalid`,
    );
    return;
  }
  const { accepted, duplicates, address } = appended;
  const already = duplicates > 0 ? `, ${duplicates.toLocaleString("en")} were already there` : "";
  const skipped = refusedCount > 0 ? `, ${refused}` : "";
  print(`published ${formatCount(accepted, "event")} to ${address}${already}${skipped}`);
};
