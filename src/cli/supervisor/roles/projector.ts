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

const every = { report: 250, look: 500, check: 30_000 };

/**
 * Runs the projector until the signal aborts, in a child process or as the command `project`.
 * The operator state is opened before any generation, because it may have to be copied from one that is quarantined or
 * swept.
 */
export const project = (world: Projecting): Promise<void> => {
  const warn = (message: string): void => world.log.warn(message);
  return withOperatorState(world.directory, warn, (operator) => projectWith(operator, world));
};

const projectWith = async (operator: OperatorState, world: Projecting): Promise<void> => {
  const { config, directory, log, metrics, onStatus, signal } = world;
  const progress = announced(
    trackProgress(Date.now, () => performance.now()),
    onStatus,
  );
  const tellState = stateTeller(log);
  const reporting = setInterval(() => {
    tellState(progress.status());
    onStatus(progress.status());
  }, every.report);
  try {
    const until = directory.until();
    if (until)
      return await onSound(world, (ended) =>
        standStill(until, { ...world, operator }, progress, ended),
      );
    const on = (eventLog: EventLog, ended = signal): ProjectorWorld => ({
      directory,
      operator,
      eventLog,
      rendering: createRendering(),
      log,
      progress,
      now: Date.now,
      onDivergence: config.onDivergence,
      lookEvery: every.look,
      checkEvery: every.check,
      onBatch: metrics.batch,
      signal: ended,
    });
    const eventLog = await onSoundUntil(world, async (ended) => {
      await beginWhereItStands({ ...world, operator }, progress);
      await suspectedMustBeSound(config, ended);
      return openAtLast(config, log, ended, (why, pause) => {
        progress.enter("waiting", `${why.message}; ${why.hint}`);
        return attendOrders(on(logAway(config.events, why), ended), pause);
      });
    });
    if (!eventLog) return;
    try {
      await runOnSound(on(eventLog));
    } finally {
      await eventLog.close();
    }
  } finally {
    clearInterval(reporting);
  }
};

interface Standing extends Pick<Projecting, "directory" | "log"> {
  readonly operator: OperatorState;
}

/** Keeps a frozen directory as it is: no event is applied, and nothing rebuilds it. */
const standStill = async (
  until: Until,
  world: Standing,
  progress: Progress,
  ended: AbortSignal,
): Promise<void> => {
  await beginWhereItStands(world, progress);
  if (world.directory.live()) progress.enter("live", frozenReason(until));
  else progress.enter("faulted", `${frozenReason(until)}; ${remade(until)}`);
  if (!ended.aborted) await once(ended, "abort");
};

const remade = ({ sequence }: Until): string =>
  `its generation was damaged: make it again with vitrine rebuild --until-seq ${sequence} --into a new directory`;

/** Reports each change of state or generation at once. */
const announced = (progress: Progress, onStatus: (status: ProjectorStatus) => void): Progress => ({
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
const beginWhereItStands = async (
  { directory, operator, log }: Standing,
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
const stateTeller = (log: Logger) => {
  let known: ProjectorStatus["state"] | undefined;
  return ({ state, reason, checkpoint, lagEvents }: ProjectorStatus): void => {
    if (state === known) return;
    const level = state === "stalled" || state === "faulted" ? "warn" : "info";
    log[level]({ state, was: known ?? null, reason, checkpoint, lagEvents }, "projector state");
    known = state;
  };
};
