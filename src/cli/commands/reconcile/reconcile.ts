import { basename } from "node:path";
import { VitrineError } from "../../../errors.ts";
import { readEventFile } from "../../../events/ndjson.ts";
import { compareTimes, type EventTime } from "../../../events/time.ts";
import { closeAfter } from "../../../platform/async.ts";
import { assertCurrentVersion } from "../../../projector/projection-version.ts";
import type { ScratchContext } from "../../../projector/rebuild/scratch.ts";
import { buildCorrections } from "../../../projector/reconcile/corrections.ts";
import { reconcile as compare } from "../../../projector/reconcile/reconcile.ts";
import { loadSnapshot } from "../../../projector/reconcile/snapshot.ts";
import { createHtmlRenderer } from "../../../projector/rendering/index.ts";
import type { DataDirectory } from "../../../read-model/generations/data-directory.ts";
import { openStore, readCheckpoint, type Store } from "../../../read-model/store/store.ts";
import type { Report } from "../../define-command.ts";
import { readWithProgress } from "../../event-files/check-files.ts";
import type { InputFile } from "../../event-files/input-files.ts";
import { noModel } from "../../model-directory.ts";
import type { LogConfig } from "../../shared-options.ts";
import { progressBar } from "../../terminal/progress-bar.ts";
import { createLogInfoReader } from "../status/log-info.ts";
import { publishCorrections } from "./publish-corrections.ts";
import {
  countCorrectable,
  type ReconcileResult,
  reportInvalidLines,
  reportReconciliation,
} from "./view.ts";

export interface ReconcileOptions {
  readonly publish: boolean;
  readonly allowLoss: boolean;
  readonly taken: EventTime | undefined;
  readonly json: boolean;
}

interface ReconcileContext {
  readonly config: LogConfig;
  readonly directory: DataDirectory;
  readonly input: InputFile;
  readonly options: ReconcileOptions;
}

/** Folds the export into a scratch model and compares it with the live generation. */
export const reconcileIn = async (
  scratch: ScratchContext,
  context: ReconcileContext,
): Promise<Report> => {
  const { directory, input, options } = context;
  const live = directory.live();
  if (live === undefined) throw noModel(directory.path);
  const snapshot = openStore(scratch.path, { readOnly: false });
  const model = openStore(live, { readOnly: true });
  try {
    assertCurrentVersion(model);
    const now = Date.now();
    const { latestTime, invalidLines } = await foldExport(scratch, snapshot, context, now);
    if (invalidLines.length > 0) return reportInvalidLines(input, invalidLines);
    if (!latestTime) throw emptySnapshot(input);
    const taken = options.taken ?? latestTime;
    const asOf = compareTimes(taken, { time: now }) < 0 ? taken : { time: now };
    return reportReconciliation(
      await compareStores(context, { snapshot, model, asOf, now }),
      options.publish,
    );
  } finally {
    await Promise.all([snapshot.close(), model.close()]);
  }
};

/** Rejects an empty export, because a failed export looks like that of an empty shop. */
const emptySnapshot = ({ name }: InputFile): VitrineError =>
  new VitrineError(
    "usage",
    `${name} contains no event`,
    "check whether the shop's export was completed",
  );

const foldExport = (
  scratch: ScratchContext,
  snapshot: Store,
  { input, options }: ReconcileContext,
  now: number,
) => {
  const bar = progressBar(`reading ${input.name}`, input.bytes, "bytes", !options.json);
  const chunks = readWithProgress(input, (bytes) => {
    scratch.signal.throwIfAborted();
    bar.update(bytes);
  });
  return loadSnapshot(snapshot, chunks, createHtmlRenderer(), now).finally(bar.end);
};

interface ReconcileInput {
  readonly snapshot: Store;
  readonly model: Store;
  readonly asOf: EventTime;
  readonly now: number;
}

const compareStores = async (
  { config, input, options }: ReconcileContext,
  { snapshot, model, asOf, now }: ReconcileInput,
): Promise<ReconcileResult> => {
  // Both stores are compared within one tick, so that each is read from one snapshot.
  model.refresh();
  const reconciliation = compare(snapshot, model, asOf);
  const checkpoint = readCheckpoint(model);
  const { lagEvents: behind = null } = await closeAfter(createLogInfoReader(config), (log) =>
    log.read(checkpoint, now),
  );
  const readCorrections = () =>
    buildCorrections(readEventFile(input.path), { ...reconciliation, snapshot, asOf, now });
  const published =
    options.publish && countCorrectable(reconciliation) > 0
      ? await publishCorrections(
          config,
          checkpoint,
          reconciliation,
          readCorrections(),
          options.allowLoss,
        )
      : null;
  return {
    ...reconciliation,
    input,
    asOf,
    generation: basename(model.directory),
    behind,
    published,
  };
};
