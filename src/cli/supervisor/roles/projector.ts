import { once } from "node:events";
import { basename } from "node:path";
import { type EventLog, unavailableLog } from "../../../event-log/event-log.ts";
import type { Logger } from "../../../log.ts";
import type { ProcessMetrics } from "../../../ops/metrics/process-metrics.ts";
import { closeAfter } from "../../../platform/async.ts";
import type { ProjectorContext } from "../../../projector/context.ts";
import { serveRequestsBeforeLog } from "../../../projector/control/serve-before-log.ts";
import {
  runGuarded,
  runUntilResult,
  runWhileIntact,
} from "../../../projector/integrity/integrity-guard.ts";
import { createHtmlRenderer } from "../../../projector/rendering/index.ts";
import type { ProjectorStatus } from "../../../projector/status/status.ts";
import {
  createStatusTracker,
  type StatusTracker,
} from "../../../projector/status/status-tracker.ts";
import {
  type DataDirectory,
  openDataDirectory,
} from "../../../read-model/generations/data-directory.ts";
import { type FrozenAt, frozenReason } from "../../../read-model/generations/directory-marker.ts";
import type { OperatorState } from "../../../read-model/operator/state.ts";
import { readModelCounts } from "../../../read-model/reader/model-counts.ts";
import { openStore, readCheckpoint } from "../../../read-model/store/store.ts";
import { assertSuspectJournalIntact, openWithRetry } from "../../event-log.ts";
import { withOperatorState } from "../../operator-state.ts";
import type { ProjectorConfig } from "../../shared-options.ts";
import { sendToSupervisor } from "../ipc.ts";
import type { RoleContext } from "../messages.ts";

interface ProjectorRoleDeps {
  readonly config: ProjectorConfig;
  /** The caller holds its lock. */
  readonly directory: DataDirectory;
  readonly logger: Logger;
  readonly metrics: ProcessMetrics;
  /** Called four times per second, and at each change of state. */
  readonly onStatus: (status: ProjectorStatus) => void;
  /** Stops the projector after the current batch. */
  readonly signal: AbortSignal;
}

/** Runs the projector of `serve`. */
export const runProjectorWorker = ({
  startMessage: { config },
  log: logger,
  metrics,
  signal,
}: RoleContext<"projector">): Promise<void> => {
  const directory = openDataDirectory(config.dataDir);
  const onStatus = (status: ProjectorStatus) => sendToSupervisor({ kind: "status", status });
  return runProjectorRole({ config, directory, logger, metrics, onStatus, signal });
};

const intervalMs = { report: 250, poll: 500, continuity: 30_000 };

/**
 * Runs the projector until the signal aborts, in a child process or as the command `project`.
 * The operator state is opened before any generation, because it may have to be copied from one that is quarantined or
 * swept.
 */
export const runProjectorRole = (deps: ProjectorRoleDeps): Promise<void> => {
  const warn = (message: string): void => deps.logger.warn(message);
  return withOperatorState(deps.directory, warn, (operator) => runProjector(operator, deps));
};

const runProjector = async (operator: OperatorState, deps: ProjectorRoleDeps): Promise<void> => {
  const { config, directory, logger, metrics, onStatus, signal } = deps;
  const progress = reportingChanges(
    createStatusTracker(Date.now, () => performance.now()),
    onStatus,
  );
  const logState = createStateLogger(logger);
  const reporting = setInterval(() => {
    logState(progress.status());
    onStatus(progress.status());
  }, intervalMs.report);
  try {
    const frozenAt = directory.frozenAt();
    if (frozenAt)
      return await runWhileIntact(deps, (ended) =>
        keepFrozen(frozenAt, { ...deps, operator }, progress, ended),
      );
    const contextFor = (eventLog: EventLog, ended = signal): ProjectorContext => ({
      directory,
      operator,
      eventLog,
      rendering: createHtmlRenderer(),
      logger,
      progress,
      now: Date.now,
      onDivergence: config.onDivergence,
      pollIntervalMs: intervalMs.poll,
      continuityIntervalMs: intervalMs.continuity,
      onBatch: metrics.batch,
      signal: ended,
    });
    const eventLog = await runUntilResult(deps, async (ended) => {
      await reportLiveCheckpoint({ ...deps, operator }, progress);
      await assertSuspectJournalIntact(config, ended);
      return openWithRetry(config, logger, ended, (why, waitMs) => {
        progress.setState("waiting", `${why.message}; ${why.hint}`);
        return serveRequestsBeforeLog(
          contextFor(unavailableLog(config.events, why), ended),
          waitMs,
        );
      });
    });
    if (eventLog) await closeAfter(eventLog, () => runGuarded(contextFor(eventLog)));
  } finally {
    clearInterval(reporting);
  }
};

interface GenerationDeps extends Pick<ProjectorRoleDeps, "directory" | "logger"> {
  readonly operator: OperatorState;
}

/** Keeps a frozen directory as it is: no event is applied, and nothing rebuilds it. */
const keepFrozen = async (
  frozenAt: FrozenAt,
  deps: GenerationDeps,
  progress: StatusTracker,
  ended: AbortSignal,
): Promise<void> => {
  await reportLiveCheckpoint(deps, progress);
  if (deps.directory.live()) progress.setState("live", frozenReason(frozenAt));
  else progress.setState("faulted", `${frozenReason(frozenAt)}; ${rebuildHint(frozenAt)}`);
  if (!ended.aborted) await once(ended, "abort");
};

const rebuildHint = ({ sequence }: FrozenAt): string =>
  `its generation was damaged: make it again with vitrine rebuild --until-seq ${sequence} --into a new directory`;

/** Reports each change of state or generation at once. */
const reportingChanges = (
  progress: StatusTracker,
  onStatus: (status: ProjectorStatus) => void,
): StatusTracker => {
  const reporting =
    <A extends readonly unknown[]>(change: (...args: A) => void) =>
    (...args: A): void => {
      const before = progress.status();
      change(...args);
      const after = progress.status();
      const hasChanged =
        before.state !== after.state ||
        before.reason !== after.reason ||
        before.generation !== after.generation;
      if (hasChanged) onStatus(after);
    };
  return {
    ...progress,
    setGeneration: reporting(progress.setGeneration),
    setState: reporting(progress.setState),
    block: reporting(progress.block),
    unblock: reporting(progress.unblock),
  };
};

/** Reports the checkpoint of the live generation before the log is reachable. */
const reportLiveCheckpoint = async (
  { directory, operator, logger }: GenerationDeps,
  progress: StatusTracker,
): Promise<void> => {
  const live = directory.live();
  if (live === undefined) return;
  await closeAfter(openStore(live, { readOnly: true }), (store) => {
    try {
      const checkpoint = readCheckpoint(store);
      if (checkpoint) progress.setGeneration(basename(live), checkpoint);
      progress.setCounts(readModelCounts(store, operator));
    } catch (error) {
      // The failed read has flagged the generation: it is checked fully once the log is reachable.
      logger.warn({ err: error }, "the live generation cannot be counted");
    }
  });
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
