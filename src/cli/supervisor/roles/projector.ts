import { once } from "node:events";
import { basename } from "node:path";
import type { EventLog } from "../../../event-log/event-log.ts";
import { logAway } from "../../../event-log/unavailable-log.ts";
import type { Logger } from "../../../log.ts";
import type { Metrics } from "../../../ops/metrics/process-metrics.ts";
import type { ProjectorWorld } from "../../../projector/context.ts";
import { attendOrders } from "../../../projector/control/serve-before-log.ts";
import { onSound, onSoundUntil, runOnSound } from "../../../projector/integrity/integrity-guard.ts";
import { createRendering } from "../../../projector/rendering/index.ts";
import type { ProjectorStatus } from "../../../projector/status.ts";
import { type Progress, trackProgress } from "../../../projector/status-tracker.ts";
import type { DataDirectory } from "../../../read-model/generations/data-directory.ts";
import { frozenReason, type Until } from "../../../read-model/generations/directory-marker.ts";
import type { OperatorState } from "../../../read-model/operator/state.ts";
import { countModel } from "../../../read-model/reader/model-counts.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import { openStore } from "../../../read-model/store/store.ts";
import { openAtLast, suspectedMustBeSound } from "../../event-log.ts";
import { withOperatorState } from "../../operator-state.ts";
import type { ProjectorConfig } from "../../shared-options.ts";

export interface Projecting {
  readonly config: ProjectorConfig;
  /** The caller holds its lock. */
  readonly directory: DataDirectory;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Called four times per second, and at each change of state. */
  readonly onStatus: (status: ProjectorStatus) => void;
  /** Stops the projector after the current batch. */
  readonly signal: AbortSignal;
}

const intervalMs = { report: 250, poll: 500, continuity: 30_000 };

/**
 * Runs the projector until the signal aborts, in a child process or as the command `project`.
 * The operator state is opened before any generation, because it may have to be copied from one that is quarantined or
 * swept.
 */
export const project = (deps: Projecting): Promise<void> => {
  const warn = (message: string): void => deps.log.warn(message);
  return withOperatorState(deps.directory, warn, (operator) => runProjector(operator, deps));
};

const runProjector = async (operator: OperatorState, deps: Projecting): Promise<void> => {
  const { config, directory, log, metrics, onStatus, signal } = deps;
  const progress = reportingChanges(
    trackProgress(Date.now, () => performance.now()),
    onStatus,
  );
  const logState = createStateLogger(log);
  const reporting = setInterval(() => {
    logState(progress.status());
    onStatus(progress.status());
  }, intervalMs.report);
  try {
    const frozenAt = directory.until();
    if (frozenAt)
      return await onSound(deps, (ended) =>
        keepFrozen(frozenAt, { ...deps, operator }, progress, ended),
      );
    const contextFor = (eventLog: EventLog, ended = signal): ProjectorWorld => ({
      directory,
      operator,
      eventLog,
      rendering: createRendering(),
      log,
      progress,
      now: Date.now,
      onDivergence: config.onDivergence,
      lookEvery: intervalMs.poll,
      checkEvery: intervalMs.continuity,
      onBatch: metrics.batch,
      signal: ended,
    });
    const eventLog = await onSoundUntil(deps, async (ended) => {
      await reportLiveCheckpoint({ ...deps, operator }, progress);
      await suspectedMustBeSound(config, ended);
      return openAtLast(config, log, ended, (why, waitMs) => {
        progress.enter("waiting", `${why.message}; ${why.hint}`);
        return attendOrders(contextFor(logAway(config.events, why), ended), waitMs);
      });
    });
    if (!eventLog) return;
    try {
      await runOnSound(contextFor(eventLog));
    } finally {
      await eventLog.close();
    }
  } finally {
    clearInterval(reporting);
  }
};

interface GenerationDeps extends Pick<Projecting, "directory" | "log"> {
  readonly operator: OperatorState;
}

/** Keeps a frozen directory as it is: no event is applied, and nothing rebuilds it. */
const keepFrozen = async (
  frozenAt: Until,
  deps: GenerationDeps,
  progress: Progress,
  ended: AbortSignal,
): Promise<void> => {
  await reportLiveCheckpoint(deps, progress);
  if (deps.directory.live()) progress.enter("live", frozenReason(frozenAt));
  else progress.enter("faulted", `${frozenReason(frozenAt)}; ${rebuildHint(frozenAt)}`);
  if (!ended.aborted) await once(ended, "abort");
};

const rebuildHint = ({ sequence }: Until): string =>
  `its generation was damaged: make it again with vitrine rebuild --until-seq ${sequence} --into a new directory`;

/** Reports each change of state or generation at once. */
const reportingChanges = (
  progress: Progress,
  onStatus: (status: ProjectorStatus) => void,
): Progress => ({
  ...progress,
  begin(generation, checkpoint) {
    const before = progress.status();
    progress.begin(generation, checkpoint);
    if (before.generation !== generation) onStatus(progress.status());
  },
  enter(state, reason) {
    const before = progress.status();
    progress.enter(state, reason);
    if (before.state !== state || before.reason !== (reason ?? null)) onStatus(progress.status());
  },
});

/** Reports the checkpoint of the live generation before the log is reachable. */
const reportLiveCheckpoint = async (
  { directory, operator, log }: GenerationDeps,
  progress: Progress,
): Promise<void> => {
  const live = directory.live();
  if (live === undefined) return;
  const store = openStore(live, { readOnly: true });
  try {
    const checkpoint = store.get(tables.meta, "checkpoint");
    if (checkpoint) progress.begin(basename(live), checkpoint);
    progress.counted(countModel(store, operator));
  } catch (error) {
    // The failed read has flagged the generation: it is checked fully once the log is reachable.
    log.warn({ err: error }, "the live generation cannot be counted");
  } finally {
    await store.close();
  }
};

/** Logs each change of state once, for alerts and operators. */
const createStateLogger = (log: Logger) => {
  let lastState: ProjectorStatus["state"] | undefined;
  return ({ state, reason, checkpoint, lagEvents }: ProjectorStatus): void => {
    if (state === lastState) return;
    const level = state === "stalled" || state === "faulted" ? "warn" : "info";
    log[level]({ state, was: lastState ?? null, reason, checkpoint, lagEvents }, "projector state");
    lastState = state;
  };
};
