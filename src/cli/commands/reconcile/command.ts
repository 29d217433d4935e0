import { basename } from "node:path";
import { Option } from "commander";
import type { Flags } from "../../../config.ts";
import { VitrineError } from "../../../errors.ts";
import { readEventFile } from "../../../events/ndjson.ts";
import { compareTimes, type EventTime } from "../../../events/time.ts";
import { assertCurrentVersion } from "../../../projector/projection-version.ts";
import { type ScratchContext, withScratch } from "../../../projector/rebuild/scratch.ts";
import { buildCorrections } from "../../../projector/reconcile/corrections.ts";
import {
  reconcile as compare,
  type Reconciliation,
} from "../../../projector/reconcile/reconcile.ts";
import { loadSnapshot } from "../../../projector/reconcile/snapshot.ts";
import { createHtmlRenderer } from "../../../projector/rendering/index.ts";
import {
  type DataDirectory,
  openDataDirectory,
} from "../../../read-model/generations/data-directory.ts";
import type { Checkpoint } from "../../../read-model/schema/checkpoint.ts";
import { readCheckpoint } from "../../../read-model/store/read-checkpoint.ts";
import { openStore, type Store } from "../../../read-model/store/store.ts";
import type { CommandLine } from "../../define-command.ts";
import { type InputFile, openInputFiles } from "../../event-files/input-files.ts";
import { type LogConfig, logSettings } from "../../shared-options.ts";
import { interruptible } from "../../terminal/interruptible.ts";
import { progressBar } from "../../terminal/progress-bar.ts";
import { readEventTime } from "../../terminal/read-event-time.ts";
import { createLogInfoReader } from "../status/log-info.ts";
import { type PublishedCorrections, publishCorrections } from "./publish-corrections.ts";
import { showInvalidLines, showReconciliation } from "./view.ts";

export const describeReconcile = (line: CommandLine): void => {
  line
    .command({
      usage: "reconcile",
      description: "compare a full export of the shop with the read model",
      settings: logSettings,
      examples: [
        "vitrine reconcile snapshot.ndjson",
        "export-shop | vitrine reconcile - --publish --events nats://127.0.0.1:4222",
      ],
    })
    .argument("<file>", "NDJSON file of CloudEvents (upserts, prices, stock), - for standard input")
    .option("--publish", "append the events that make the model match the export", false)
    .option(
      "--allow-loss",
      "publish even if that deletes ten or more, and more than a fifth, of a kind",
      false,
    )
    .addOption(
      new Option(
        "--taken <time>",
        "time of the export (default: its newest event); entities changed later in the log are not corrected",
      ).argParser(readEventTime("--taken")),
    )
    .option("--json", "print JSON", false)
    .action(async (file: string, flags: Flags & ReconcileOptions) => {
      const config = line.config(flags, logSettings);
      line.done(await interruptible((signal) => reconcile(config, file, flags, signal)));
    });
};

export interface ReconcileOptions {
  readonly publish: boolean;
  readonly allowLoss: boolean;
  readonly taken?: EventTime;
  readonly json: boolean;
}

/** Result of a reconciliation. */
export interface ReconcileReport extends Reconciliation {
  readonly input: InputFile;
  /** Time of the export. */
  readonly asOf: EventTime;
  readonly generation: string;
  /** Events of the log that the model does not include; null when the log is unreachable. */
  readonly behind: number | null;
  readonly published: PublishedCorrections | null;
}

/**
 * Compares a full export of the shop with the model, to find changes the shop never published (Contract §1).
 * @returns exit code: 1 when a line is bad, or when there are differences and nothing was published
 * @throws VitrineError `usage`, `no_model`, `outdated`; when publishing also `divergence`, `event_log`
 */
export const reconcile = async (
  config: LogConfig,
  file: string,
  options: ReconcileOptions,
  signal: AbortSignal,
): Promise<number> => {
  const directory = openDataDirectory(config.dataDir);
  const inputs = await openInputFiles([file]);
  try {
    const [input] = inputs.files as [InputFile];
    return await withScratch(directory, "reconcile", signal, (scratch) =>
      reconcileIn(scratch, { config, directory, input, options }),
    );
  } finally {
    inputs.close();
  }
};

interface ReconcileContext {
  readonly config: LogConfig;
  readonly directory: DataDirectory;
  readonly input: InputFile;
  readonly options: ReconcileOptions;
}

const reconcileIn = async (scratch: ScratchContext, context: ReconcileContext): Promise<number> => {
  const { directory, input, options } = context;
  const live = directory.live();
  if (live === undefined) throw noModel(directory);
  const snapshot = openStore(scratch.path, { readOnly: false });
  const model = openStore(live, { readOnly: true });
  try {
    assertCurrentVersion(model);
    const now = Date.now();
    const { latestTime, invalidLines } = await foldExport(scratch, snapshot, context, now);
    if (invalidLines.length > 0) {
      showInvalidLines(input, invalidLines, options.json);
      return 1;
    }
    if (!latestTime) throw emptySnapshot(input);
    const taken = options.taken ?? latestTime;
    const asOf = compareTimes(taken, { time: now }) < 0 ? taken : { time: now };
    return await compareAndReport(context, { snapshot, model, asOf, now });
  } finally {
    await Promise.all([snapshot.close(), model.close()]);
  }
};

const noModel = ({ path }: DataDirectory): VitrineError =>
  new VitrineError(
    "no_model",
    `${path} holds no read model to compare with`,
    "start vitrine serve: it makes one from the event log; or name its directory with --data-dir",
  );

/** Rejects an empty export, because a failed export looks like that of an empty shop. */
const emptySnapshot = ({ name }: InputFile): VitrineError =>
  new VitrineError(
    "usage",
    `${name} contains no event`,
    "check whether the shop's export was completed",
  );

const foldExport = async (
  scratch: ScratchContext,
  snapshot: Store,
  { input, options }: ReconcileContext,
  now: number,
) => {
  const bar = progressBar(`reading ${input.name}`, input.bytes, "bytes", !options.json);
  let bytes = 0;
  async function* measured(): AsyncGenerator<Uint8Array | string> {
    for await (const chunk of readEventFile(input.path)) {
      scratch.signal.throwIfAborted();
      bytes += chunk.length;
      bar.update(bytes);
      yield chunk;
    }
  }
  try {
    return await loadSnapshot(snapshot, measured(), createHtmlRenderer(), now);
  } finally {
    bar.end();
  }
};

interface ReconcileInput {
  readonly snapshot: Store;
  readonly model: Store;
  readonly asOf: EventTime;
  readonly now: number;
}

const compareAndReport = async (
  context: ReconcileContext,
  stores: ReconcileInput,
): Promise<number> => {
  const { config, input, options } = context;
  const { snapshot, model, asOf, now } = stores;
  // Both stores are compared within one tick, so that each is read from one snapshot.
  model.refresh();
  const reconciliation = compare(snapshot, model, asOf);
  const checkpoint = readCheckpoint(model);
  const behind = await readLagEvents(config, checkpoint, now);
  const isWanted =
    options.publish && reconciliation.differences.some(({ finding }) => finding !== "newer");
  const readCorrections = () =>
    buildCorrections(readEventFile(input.path), { ...reconciliation, snapshot, asOf, now });
  const published = isWanted
    ? await publishCorrections(
        config,
        checkpoint,
        reconciliation,
        readCorrections(),
        options.allowLoss,
      )
    : null;
  const generation = basename(model.directory);
  const report: ReconcileReport = {
    ...reconciliation,
    input,
    asOf,
    generation,
    behind,
    published,
  };
  showReconciliation(report, options);
  const isOff = reconciliation.differences.some(({ finding }) => finding !== "newer");
  return isOff && !published ? 1 : 0;
};

const readLagEvents = async (
  config: LogConfig,
  checkpoint: Checkpoint | undefined,
  now: number,
): Promise<number | null> => {
  const log = createLogInfoReader(config);
  try {
    return (await log.read(checkpoint, now)).lagEvents ?? null;
  } finally {
    await log.close();
  }
};
