import { VitrineError } from "../../../errors.ts";
import type { CloudEvent } from "../../../events/envelope.ts";
import type { ConnectionEntry } from "../../../gateway/configuration.ts";
import { type Import, openImport } from "../../../gateway/import/import.ts";
import type { LeftOver, LeftOvers } from "../../../gateway/import/left-over.ts";
import type { ImportFile, PassResult } from "../../../gateway/import/read-files.ts";
import { createTranslator } from "../../../gateway/translators.ts";
import { closeAfter } from "../../../platform/async.ts";
import { appendEvents, assertFewDeletions } from "../../append-events.ts";
import type { Report } from "../../define-command.ts";
import { readWithProgress } from "../../event-files/check-files.ts";
import type { InputFile } from "../../event-files/input-files.ts";
import { openLogToAppend } from "../../event-log.ts";
import type { ImportConfig } from "../../shared-options.ts";
import { printJson } from "../../terminal/output.ts";
import { progressBar } from "../../terminal/progress-bar.ts";
import { type ImportCommandOptions, selectFormat } from "./options.ts";
import { type ImportOutcome, reportImport } from "./view.ts";

interface ImportInputs {
  readonly config: ImportConfig;
  readonly entry: ConnectionEntry;
  readonly options: ImportCommandOptions;
  readonly directory: string;
  readonly scratch: string;
  readonly signal: AbortSignal;
}

/** Checks all files, and then publishes them all: a bad row prevents every append. */
export const importInputs = async (
  inputs: readonly InputFile[],
  { config, entry, options, directory, scratch, signal }: ImportInputs,
): Promise<Report> => {
  const { name, settings } = entry;
  const stated = "columns" in settings ? Object.entries(settings.columns ?? {}) : [];
  const columns = new Map([...stated, ...options.header]);
  const showProgress = !options.json && !options.dryRun;
  const files = inputs.map((input) =>
    toImportFile(input, selectFormat(input, entry, columns, options), showProgress),
  );
  const opened = openImport({
    ...{ name, directory, scratch, columns, signal },
    ...{ currency: settings.currency, timeZone: settings.timeZone },
    translator: createTranslator(settings),
    source: settings.source ?? `/connections/${name}`,
    taken: readTaken(options),
    isRepeating: options.all,
    // These files have no ids of categories, so they publish none.
    keepsCategories:
      settings.platform === "woocommerce" && files.some(({ format }) => format !== "json"),
  });
  return closeAfter(opened, async (running) =>
    reportImport(
      options.dryRun
        ? await printEvents(running, files, options)
        : await publishFiles(running, files, config, options),
      options,
    ),
  );
};

/** @throws VitrineError `usage` for a time to come, because until then webhooks would count as older */
const readTaken = ({ taken }: ImportCommandOptions): string => {
  const now = Date.now();
  if (taken && taken.time > now)
    throw new VitrineError("usage", "--taken is in the future: give the time of the export");
  return new Date(taken?.time ?? now).toISOString();
};

const toImportFile = (
  input: InputFile,
  format: ImportFile["format"],
  showProgress: boolean,
): ImportFile => ({
  name: input.name,
  format,
  async *read(doing) {
    const bar = progressBar(`${doing} ${input.name}`, input.bytes, "bytes", showProgress);
    try {
      yield* readWithProgress(input, bar.update);
    } finally {
      bar.end();
    }
  },
});

/** A row that is bad may be one of a product that the shop has, so nothing is deleted then. */
const findDeletions = (
  running: Import,
  { badCount, translated, ignored }: PassResult,
  complete: boolean,
): LeftOvers => {
  if (!complete || badCount > 0) return { kinds: [], deletions: [] };
  if (translated > 0 || ignored.size > 0) return running.findLeftOver(ignored.size > 0);
  throw new VitrineError(
    "usage",
    "--complete: the files have no body, so nothing was published",
    "check whether the export was completed",
  );
};

/** All entities of a kind are never deleted without a question: the files may not have the kind. */
const assertFewLeftOver = (kind: LeftOver): void => {
  assertFewDeletions(kind);
  if (kind.leftOver === 0 || kind.leftOver < kind.inModel) return;
  throw new VitrineError(
    "usage",
    `nothing was published: all ${kind.inModel} ${kind.kind} entities would be deleted, because the files contain none of them`,
    "check that the files are complete; --allow-loss deletes them",
  );
};

const printEvents = async (
  running: Import,
  files: readonly ImportFile[],
  { complete }: ImportCommandOptions,
): Promise<ImportOutcome> => {
  const print = async (events: readonly CloudEvent[]): Promise<void> => {
    for (const event of events) printJson(event);
    // Waits for a slow reader of the output.
    await new Promise((resolve) => process.stdout.write("", resolve));
  };
  const checked = await running.rehearse(files, print);
  const { deletions } = findDeletions(running, checked, complete);
  await print(running.rehearseDeletions(deletions));
  return { ...checked, deleted: deletions.length, address: undefined };
};

const publishFiles = async (
  running: Import,
  files: readonly ImportFile[],
  config: ImportConfig,
  { complete, allowLoss, skipInvalid }: ImportCommandOptions,
): Promise<ImportOutcome> => {
  const checked = await running.rehearse(files, complete ? async () => undefined : undefined);
  if (checked.badCount > 0 && !skipInvalid) return { ...checked, deleted: 0, address: undefined };
  const { kinds, deletions } = findDeletions(running, checked, complete);
  if (!allowLoss) kinds.forEach(assertFewLeftOver);
  return closeAfter(await openLogToAppend(config), async (eventLog) => {
    const append = async (events: readonly CloudEvent[]): Promise<void> => {
      await appendEvents(eventLog, events);
    };
    const published = await running.publish(files, append);
    const deleted = await running.publishDeletions(deletions, append);
    return { ...published, deleted, address: eventLog.address };
  });
};
