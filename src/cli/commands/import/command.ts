import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { VitrineError } from "../../../errors.ts";
import { lockImport } from "../../../projector/integrity/lock.ts";
import { openDataDirectory } from "../../../read-model/generations/data-directory.ts";
import {
  argumentList,
  flag,
  json,
  optional,
  repeatable,
  required,
  text,
} from "../../command-spec.ts";
import { defineCommand, type Report } from "../../define-command.ts";
import { withInputFiles } from "../../event-files/input-files.ts";
import { type ImportConfig, importSettings } from "../../shared-options.ts";
import { parseEventTime } from "../../terminal/read-event-time.ts";
import { interruptible } from "../../terminal/signals.ts";
import { importInputs } from "./import-inputs.ts";
import { findConnection, type ImportCommandOptions, parseFormat, parseHeader } from "./options.ts";

export const importCommand = defineCommand({
  settings: importSettings,
  argument: argumentList("<file...>", "exports of the shop, - for standard input", text),
  options: {
    connection: required("<name>", "connection of the file of connections", text),
    format: optional(
      "<format>",
      "shopify-csv, woocommerce-csv, google or json (default: seen from the content)",
      parseFormat,
    ),
    header: repeatable(
      "<WORD=column>",
      "column of a word of the header; may be repeated",
      parseHeader,
    ),
    dryRun: flag("print the events as NDJSON, and publish nothing"),
    complete: flag("delete what the connection published and the files lack"),
    allowLoss: flag("delete even ten or more entities of a kind, and more than a fifth of them"),
    skipInvalid: flag("import the good rows of a file that has bad ones"),
    taken: optional("<time>", "time of the export (default: now)", parseEventTime),
    all: flag("publish also what is unchanged, for a log that others wrote to"),
    json,
  },
  examples: [
    "vitrine import products_export.csv --connection main --connections connections.json",
    "curl https://shop.example/feed.xml | vitrine import - --connection feed --complete",
    "vitrine import products.json --connection main --dry-run | vitrine lint -",
  ],
  notes: `A file with a bad row is rejected completely, unless --skip-invalid is given; a file that is cut always is.
What the connection published last is not published again, so a second import of a file appends nothing.
A gateway may run meanwhile.`,
  run: ({ config, argument: paths, options }) =>
    interruptible((signal) => runImport(config, paths, options, signal)),
});

/**
 * Imports files of a connection (Contract 10, Files). The exit code is 1 when a row is bad.
 * @throws VitrineError `usage`, `locked`, `invalid_events` for a file that is cut, `event_log`
 */
const runImport = async (
  config: ImportConfig,
  paths: readonly string[],
  options: ImportCommandOptions,
  signal: AbortSignal,
): Promise<Report> => {
  // Keeps the heap small. Without these flags an import takes 300 MB in place of 120, and some 15 % less processor time.
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=100");
  const entry = findConnection(config.connections, options.connection);
  const lost = new AbortController();
  const directory = join(openDataDirectory(config.dataDir).path, "connections", entry.name);
  const release = await lockImport(directory, (error) => lost.abort(lockLost(error)));
  const scratch = `${directory}.import`;
  try {
    // A killed import leaves its files.
    rmSync(scratch, { recursive: true, force: true });
    mkdirSync(scratch, { recursive: true });
    const ended = AbortSignal.any([signal, lost.signal]);
    return await withInputFiles(
      paths,
      (inputs) =>
        importInputs(inputs, { config, entry, options, directory, scratch, signal: ended }),
      scratch,
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
    await release().catch(() => undefined);
  }
};

const lockLost = (error: Error): VitrineError =>
  new VitrineError(
    "locked",
    `the lock of the connection was lost: ${error.message}`,
    "import the files again: what is published already is not published twice",
    error,
  );
