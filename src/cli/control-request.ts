import { type EventLog, unavailableLog } from "../event-log/event-log.ts";
import type { Logger } from "../log.ts";
import { closeAfter } from "../platform/async.ts";
import { escapeBreaks } from "../platform/escape-control.ts";
import { sendRequest } from "../projector/control/client.ts";
import { type ControlResults, executeRequest } from "../projector/control/execute.ts";
import type { RequestKind, RequestOf } from "../projector/control/request.ts";
import { isLocked } from "../projector/integrity/lock.ts";
import { resumeGeneration } from "../projector/open-generation.ts";
import { createHtmlRenderer } from "../projector/rendering/index.ts";
import { createStatusTracker } from "../projector/status/status-tracker.ts";
import { type DataDirectory, openDataDirectory } from "../read-model/generations/data-directory.ts";
import type { OperatorState } from "../read-model/operator/state.ts";
import { withDataDirectoryLock } from "./data-directory-lock.ts";
import { isLogUnavailable, openLogToRead } from "./event-log.ts";
import { assertNotFrozen, noModel } from "./model-directory.ts";
import { withOperatorState } from "./operator-state.ts";
import { fetchOpsStatus } from "./ops-client.ts";
import type { ControlConfig } from "./shared-options.ts";
import { printError } from "./terminal/output.ts";

interface ControlDeps {
  readonly config: ControlConfig;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Executes a control request in the one writer of the data directory.
 * That writer is the projector that runs on the directory; without one, this process takes its lock.
 * @returns the result of the request, see `executeRequest`
 * @throws VitrineError with the reason when the request is rejected
 */
export const executeControlRequest = async <K extends RequestKind>(
  request: RequestOf<K>,
  deps: ControlDeps,
): Promise<ControlResults[K]> => {
  const directory = openDataDirectory(deps.config.dataDir);
  assertNotFrozen(directory);
  const isProjectorRunning = () => isLocked(directory.path);
  return (await isProjectorRunning())
    ? sendRequest(
        directory.path,
        request,
        isProjectorRunning,
        deps.signal,
        () => void reportWait(deps.config),
      )
    : executeLocally(request, directory, deps);
};

const reportWait = async (config: ControlConfig): Promise<void> => {
  const state = (await fetchOpsStatus(config))?.state;
  printError(
    `waiting for the projector${state ? ` (state ${escapeBreaks(state)})` : ""}; Ctrl-C withdraws the request`,
  );
};

const executeLocally = <K extends RequestKind>(
  request: RequestOf<K>,
  directory: DataDirectory,
  { config, log, signal }: ControlDeps,
): Promise<ControlResults[K]> =>
  withDataDirectoryLock(directory, (lost) => {
    if (directory.live() === undefined) throw noModel(directory.path);
    const deps = { config, log, signal: AbortSignal.any([signal, lost]) };
    return withOperatorState(directory, printError, (operator) =>
      executeOnLiveGeneration(request, directory, operator, deps),
    );
  });

const executeOnLiveGeneration = async <K extends RequestKind>(
  request: RequestOf<K>,
  directory: DataDirectory,
  operator: OperatorState,
  { config, log, signal }: ControlDeps,
): Promise<ControlResults[K]> =>
  closeAfter(await openLogFor(request.kind, config, log), async (eventLog) => {
    const current = resumeGeneration(directory);
    let live = current;
    const context = {
      directory,
      operator,
      eventLog,
      rendering: createHtmlRenderer(),
      logger: log,
      progress: createStatusTracker(Date.now, () => performance.now()),
      now: Date.now,
      // One request is executed, and no log is followed: nothing here rebuilds.
      onDivergence: "stop" as const,
      pollIntervalMs: 500,
      continuityIntervalMs: 30_000,
      signal,
    };
    try {
      const executed = await executeRequest(context, current, request);
      live = executed.generation;
      return executed.result;
    } finally {
      await live.store.close();
    }
  });

/** Opens the log for a request. A discard needs no log, so it also works without the broker. */
const openLogFor = (kind: RequestKind, config: ControlConfig, log: Logger): Promise<EventLog> =>
  openLogToRead(config, log).catch((error) => {
    if (kind === "discard" && isLogUnavailable(error)) return unavailableLog(config.events, error);
    throw error;
  });
