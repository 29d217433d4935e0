import { withScratch } from "../../../projector/rebuild/scratch.ts";
import { openDataDirectory } from "../../../read-model/generations/data-directory.ts";
import { argument, flag, json, optional, text } from "../../command-spec.ts";
import { defineCommand, type Report } from "../../define-command.ts";
import { withInputFile } from "../../event-files/input-files.ts";
import { type LogConfig, logSettings } from "../../shared-options.ts";
import { parseEventTime } from "../../terminal/read-event-time.ts";
import { interruptible } from "../../terminal/signals.ts";
import { type ReconcileOptions, reconcileIn } from "./reconcile.ts";

export const reconcileCommand = defineCommand({
  settings: logSettings,
  argument: argument(
    "<file>",
    "NDJSON file of CloudEvents (upserts, prices, stock), - for standard input",
    text,
  ),
  options: {
    publish: flag("append the events that make the model match the export"),
    allowLoss: flag(
      "publish even if that deletes ten or more entities of a kind, and more than a fifth of them",
    ),
    taken: optional(
      "<time>",
      "time of the export (default: its newest event); entities changed later in the log are not corrected",
      parseEventTime,
    ),
    json,
  },
  examples: [
    "vitrine reconcile snapshot.ndjson",
    "export-shop | vitrine reconcile - --publish --events nats://127.0.0.1:4222",
  ],
  run: ({ config, argument: file, options }) =>
    interruptible((signal) => reconcile(config, file, options, signal)),
});

/**
 * Compares a full export of the shop with the model, to find changes the shop never published (Contract §1).
 * The exit code is 1 when a line is bad, or when there are differences and nothing was published.
 * @throws VitrineError `usage`, `no_model`, `outdated`; when publishing also `divergence`, `event_log`
 */
const reconcile = (
  config: LogConfig,
  file: string,
  options: ReconcileOptions,
  signal: AbortSignal,
): Promise<Report> => {
  const directory = openDataDirectory(config.dataDir);
  return withInputFile(file, (input) =>
    withScratch(directory, "reconcile", signal, (scratch) =>
      reconcileIn(scratch, { config, directory, input, options }),
    ),
  );
};
