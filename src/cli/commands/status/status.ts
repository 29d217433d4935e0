import type { OpsStatus } from "../../../ops/health/status.ts";
import {
  type BuildProgress,
  readBuildProgress,
} from "../../../read-model/generations/build-progress.ts";
import { type FrozenAt, frozenReason } from "../../../read-model/generations/directory-marker.ts";
import { openExistingDirectory } from "../../model-directory.ts";
import { fetchOpsStatus, type OpsConfig } from "../../ops-client.ts";
import type { LogInfo, LogInfoReader } from "./log-info.ts";
import type { ModelInfo, ReadModelInfo } from "./model-info.ts";

/** Output of `vitrine status --json`. */
export interface Status {
  /**
   * State that a running projector reports. Without one it is derived from the files: `empty` (no model yet), `live`,
   * `behind`, `diverged` (the log does not continue the model), `unknown` (the log is unreachable).
   */
  readonly state: OpsStatus["state"] | "empty" | "behind" | "diverged" | "unknown";
  readonly reason: string | null;
  /** ISO 8601 time at which a running projector entered this state; null when none runs. */
  readonly since: string | null;
  readonly dataDir: string;
  /** Status of the service that runs on this data directory; null when none answers on the ops port. */
  readonly service: RuntimeInfo | null;
  /** Lag in events and in seconds; null when unknown. */
  readonly lag: { readonly events: number | null; readonly seconds: number | null };
  readonly model: ModelInfo | null;
  readonly log: LogInfo;
  /** Candidate that a command builds; null when there is none. */
  readonly building: BuildProgress | null;
}

export interface RuntimeInfo {
  readonly ready: boolean;
  readonly reasons: readonly string[];
  readonly eventsPerSecond: number;
  /** Seconds until the end of the log at this rate; null when unknown. */
  readonly etaSeconds: number | null;
}

/** Reads the status of model, log and service, whether the service runs or not. Changes nothing. */
export const readStatus = async (
  config: OpsConfig,
  readModel: ReadModelInfo,
  eventLog: LogInfoReader,
  now: number,
): Promise<Status> => {
  const directory = openExistingDirectory(config.dataDir);
  const live = directory?.live();
  const model = directory && (await readModel(directory));
  const [ops, log] = await Promise.all([
    directory && fetchOpsStatus(config),
    eventLog.read(model?.checkpoint, now),
  ]);
  // A rebuild has switched to another generation meanwhile: the state is not that of the model.
  if (directory?.live() !== live) return readStatus(config, readModel, eventLog, now);
  return {
    ...getState(ops, model, log, directory?.frozenAt()),
    dataDir: directory?.path ?? config.dataDir,
    service: ops ? toRuntimeInfo(ops) : null,
    lag: { events: log.lagEvents ?? null, seconds: getLagSeconds(ops, log) },
    model: model ?? null,
    log,
    building: (directory && readBuildProgress(directory.path)) ?? null,
  };
};

const getState = (
  ops: OpsStatus | undefined,
  model: ModelInfo | undefined,
  log: LogInfo,
  frozenAt: FrozenAt | undefined,
): Pick<Status, "state" | "reason" | "since"> => {
  if (ops) return { state: ops.state, reason: ops.reason, since: ops.since };
  const unattended = (state: Status["state"], reason: string | null) => ({
    state,
    reason,
    since: null,
  });
  if (frozenAt && model) return unattended("live", frozenReason(frozenAt));
  if (frozenAt)
    return unattended(
      "empty",
      "vitrine rebuild was interrupted before it had built the model: run it again",
    );
  if (!log.reachable) return unattended("unknown", log.error ?? null);
  if (!model) return unattended("empty", "no read model yet: start vitrine serve");
  if (log.divergence) return unattended("diverged", log.divergence);
  return unattended(log.lagEvents === 0 ? "live" : "behind", null);
};

const toRuntimeInfo = ({ ready, reasons, status: projector }: OpsStatus): RuntimeInfo => ({
  ready,
  reasons,
  eventsPerSecond: projector?.eventsPerSecond ?? 0,
  etaSeconds: projector?.etaSeconds ?? null,
});

/** Returns the lag that the log shows, or the service's last value when the log is unreachable. */
const getLagSeconds = (ops: OpsStatus | undefined, log: LogInfo): number | null =>
  log.lagSeconds ?? ops?.lagSeconds ?? null;
