import type { Flags } from "../config.ts";
import type { EventLog } from "../event-log/log.ts";
import type { CommandLine } from "./command-line.ts";
import { type AppendedFile, appendFile } from "./event-files/append-file.ts";
import {
  type BadLine,
  type CheckedFile,
  checkFile,
  showLines,
  showWarnings,
} from "./event-files/check-files.ts";
import { openInputs } from "./event-files/inputs.ts";
import { openToAppend } from "./model/event-log.ts";
import { type LogConfig, logSettings } from "./setting-groups.ts";
import { counted, print, printJson, say } from "./terminal/output.ts";
import { progressBar } from "./terminal/progress-bar.ts";

export const describePublish = (line: CommandLine): void => {
  line
    .command({
      usage: "publish",
      tells: "check event files (NDJSON) and append them to the event log",
      settings: logSettings,
      examples: [
        "vitrine publish shop.ndjson",
        "export-shop | vitrine publish - --events nats://127.0.0.1:4222",
      ],
    })
    .argument("<file...>", "NDJSON files of CloudEvents, - for standard input")
    .option("--skip-invalid", "append the good lines of a file that has bad ones", false)
    .option("--json", "print one JSON object", false)
    .action(async (files: string[], flags: Flags & PublishOptions) =>
      line.done(await publish(line.config(flags, logSettings), files, flags)),
    );
};

export interface PublishOptions {
  readonly json: boolean;
  readonly skipInvalid: boolean;
}

/** What `--json` prints. */
export interface Published extends AppendedFile {
  /** The first thousand of each file. */
  readonly refused: readonly BadLine[];
  readonly refusedCount: number;
  /** Of lines that are taken; the first thousand of each file. */
  readonly warnings: readonly BadLine[];
}

/**
 * Checks whole files, then appends them: all of it or, when a line is bad, nothing (contract section 1).
 * @returns exit code: 1 when a line was refused
 */
export const publish = async (
  config: LogConfig,
  paths: readonly string[],
  options: PublishOptions,
): Promise<number> => {
  const inputs = await openInputs(paths);
  try {
    const now = Date.now();
    const files: CheckedFile[] = [];
    for (const input of inputs.files) files.push(await checkFile(input, now, !options.json));
    const refused = files.flatMap(({ bad }) => bad);
    const refusedCount = files.reduce((sum, { badCount }) => sum + badCount, 0);
    const isStopped = refusedCount > 0 && !options.skipInvalid;
    const appended = isStopped
      ? { accepted: 0, duplicates: 0, lastSequence: 0, address: "" }
      : await append(config, files, now, options);
    const warnings = files.flatMap((file) => file.warnings);
    tell({ ...appended, refused, refusedCount, warnings }, isStopped, options);
    return refusedCount > 0 ? 1 : 0;
  } finally {
    inputs.close();
  }
};

interface AppendedAll extends AppendedFile {
  readonly address: string;
}

const append = async (
  config: LogConfig,
  files: readonly CheckedFile[],
  now: number,
  { json, skipInvalid }: PublishOptions,
): Promise<AppendedAll> => {
  const eventLog = await openToAppend(config);
  try {
    return {
      ...(await appendAll(eventLog, files, { now, skipInvalid }, !json)),
      address: eventLog.address,
    };
  } finally {
    await eventLog.close();
  }
};

/** Appends checked files in their order, with a bar on a terminal. */
export const appendAll = async (
  eventLog: EventLog,
  files: readonly CheckedFile[],
  options: { readonly now: number; readonly skipInvalid: boolean },
  showProgress: boolean,
): Promise<AppendedFile> => {
  const total = files.reduce((sum, { good }) => sum + good, 0);
  const bar = progressBar("publishing", total, "events", showProgress);
  let sum: AppendedFile = { accepted: 0, duplicates: 0, lastSequence: 0 };
  try {
    for (const { input } of files) {
      const before = sum.accepted + sum.duplicates;
      const one = await appendFile(input, eventLog, options, (count) => bar.at(before + count));
      sum = {
        accepted: sum.accepted + one.accepted,
        duplicates: sum.duplicates + one.duplicates,
        lastSequence: Math.max(sum.lastSequence, one.lastSequence),
      };
    }
    return sum;
  } finally {
    bar.end();
  }
};

const tell = (
  published: Published & { readonly address: string },
  isStopped: boolean,
  { json }: PublishOptions,
): void => {
  const { accepted, duplicates, lastSequence, refused, refusedCount, warnings, address } =
    published;
  if (json) {
    printJson({
      ...{ accepted, duplicates, refused, refusedCount, warnings, lastSequence },
    } satisfies Published);
    return;
  }
  showLines(refused, refusedCount);
  showWarnings(warnings);
  if (isStopped) {
    say(
      `vitrine: nothing was published: ${counted(refusedCount, "line was", "lines were")} refused\n  -> mend them, or publish the others with --skip-invalid`,
    );
    return;
  }
  const already = duplicates > 0 ? `, ${duplicates.toLocaleString("en")} were already there` : "";
  const skipped =
    refusedCount > 0 ? `, ${counted(refusedCount, "line was", "lines were")} refused` : "";
  print(`published ${counted(accepted, "event")} to ${address}${already}${skipped}`);
};
