import type { VitrineError } from "../errors.ts";
import type { Fault } from "./faults.ts";
import type { ActiveState } from "./state.ts";
import type { ProjectorStatus } from "./status/status.ts";

/**
 * Converts a state of the projector (`ActiveState`) to the one that the status shows (`ProjectorState`).
 * @returns undefined for `following`: the log and the batch writer decide between `replaying`, `live` and `stalled`
 * (`status/status-tracker.ts`)
 */
export const describeState = (
  state: ActiveState,
): (Pick<ProjectorStatus, "state"> & { readonly reason: string }) | undefined => {
  switch (state.name) {
    case "following":
      return undefined;
    case "waiting":
      return { state: "waiting", reason: formatError(state.error) };
    case "rebuilding":
      return { state: "rebuilding", reason: state.cause.reason };
    case "faulted":
      return { state: "faulted", reason: formatFault(state.fault) };
  }
};

const formatFault = (fault: Fault): string => {
  switch (fault.kind) {
    case "diverged":
      return `${fault.divergence.reason}; ${obstacleHints[fault.obstacle]}`;
    case "rebuild_refused":
      return `${fault.cause.reason}; ${fault.reason}, so the projector waits: publish what is missing (it tries again within seconds when the log grows or is replaced), or accept the loss: vitrine rebuild --accept-loss`;
    default:
      return formatError(fault.error);
  }
};

const obstacleHints = {
  stop: "start with --on-divergence rebuild to replay the log into a new generation",
  incomplete_log:
    "the log no longer holds the whole history, so it cannot be replayed: delete the log and have the shop publish its full state into a new one of the same name",
} as const;

const formatError = ({ message, hint }: VitrineError): string =>
  [message, hint].filter(Boolean).join("; ");
