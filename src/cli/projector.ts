import { basename } from "node:path";
import type { Config } from "../config.ts";
import type { Logger } from "../log.ts";
import type { Metrics } from "../ops/metrics.ts";
import { createRendering } from "../projector/rendering/index.ts";
import { runOnSound, setDamagedAside } from "../projector/sound.ts";
import { type Progress, type ProjectorStatus, trackProgress } from "../projector/status.ts";
import type { DataDirectory } from "../read-model/generation.ts";
import { openStore } from "../read-model/store.ts";
import { tables } from "../read-model/tables.ts";
import { openAtLast } from "./event-log.ts";

export interface Projecting {
  readonly config: Config;
  /** Locked by whoever calls. */
  readonly directory: DataDirectory;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Told four times a second, and at each change of state. */
  readonly onStatus: (status: ProjectorStatus) => void;
  /** Ends it after the batch at hand. */
  readonly signal: AbortSignal;
}

/** Milliseconds. */
const every = { report: 250, look: 500, check: 30_000 };

/** Runs the projector until the signal ends it: in a process of its own, or as the command `project`. */
export const project = async (world: Projecting): Promise<void> => {
  const { config, directory, log, metrics, onStatus, signal } = world;
  const progress = announced(trackProgress(Date.now), onStatus);
  const reporting = setInterval(() => onStatus(progress.status()), every.report);
  try {
    await setDamagedAside(world);
    await beginWhereItStands(directory, progress);
    const eventLog = await openAtLast(config, log, signal, (reason) =>
      progress.enter("waiting", reason),
    );
    if (!eventLog) return;
    try {
      await runOnSound({
        directory,
        eventLog,
        rendering: createRendering(),
        log,
        progress,
        onDivergence: config.onDivergence,
        lookEvery: every.look,
        checkEvery: every.check,
        onBatch: metrics.batch,
        signal,
      });
    } finally {
      await eventLog.close();
    }
  } finally {
    clearInterval(reporting);
  }
};

/** Tells each change of state at once. */
const announced = (progress: Progress, onStatus: (status: ProjectorStatus) => void): Progress => ({
  ...progress,
  enter(state, reason) {
    const before = progress.status();
    progress.enter(state, reason);
    if (before.state !== state || before.reason !== (reason ?? null)) onStatus(progress.status());
  },
});

/** While the log is still being reached, the checkpoint is already known. */
const beginWhereItStands = async (directory: DataDirectory, progress: Progress): Promise<void> => {
  const live = directory.live();
  if (live === undefined) return;
  const store = openStore(live, { readOnly: true });
  const checkpoint = store.get(tables.meta, "checkpoint");
  if (checkpoint) progress.begin(basename(live), checkpoint);
  await store.close();
};
