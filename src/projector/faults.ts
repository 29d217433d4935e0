import type { ErrorCode, VitrineError } from "../errors.ts";
import type { Checkpoint } from "../read-model/schema/checkpoint.ts";
import type { Divergence } from "./continuity/continuity.ts";

/** Why nothing is applied. `await-recovery.ts` has one condition per kind. */
export type Fault =
  /** Ends only when the log is replaced or its divergence changes. */
  | {
      readonly kind: "projection" | "log_damaged" | "unexpected";
      readonly error: VitrineError;
      /** Divergence that led to the failed rebuild; undefined when the projector followed the log. */
      readonly cause: Divergence | undefined;
    }
  /** May pass by itself, such as a full disk or a missing directory. */
  | { readonly kind: "storage"; readonly error: VitrineError }
  /** The integrity guard checks the generation, and quarantines it when it is damaged. */
  | { readonly kind: "model_damaged"; readonly error: VitrineError }
  /** A rebuild is not possible: the policy forbids it, or the log lacks a part of its history. */
  | {
      readonly kind: "diverged";
      readonly divergence: Divergence;
      readonly obstacle: "stop" | "incomplete_log";
    }
  /** The rebuild lost too many products. */
  | {
      readonly kind: "rebuild_refused";
      readonly cause: Divergence;
      readonly reason: string;
      /** Last sequence of the log before the rebuild; undefined when the log was unavailable. */
      readonly logEnd: number | undefined;
      /** Checkpoint that the rebuild reached; undefined before the first event. */
      readonly read: Checkpoint | undefined;
    };

/**
 * Builds the fault after an error.
 * @param cause divergence that led to a rebuild; undefined when the projector followed the log
 */
export const toFault = (error: VitrineError, cause: Divergence | undefined): Fault => {
  const kind = faultKinds[error.code];
  return kind === "storage" || kind === "model_damaged" ? { kind, error } : { kind, error, cause };
};

type FailureKind = Extract<Fault, { readonly error: VitrineError }>["kind"];

/** Kind of the fault after each error, except those with an outcome of their own (`toOutcome`). */
const faultKinds: Record<ErrorCode, FailureKind> = {
  projection: "projection",
  log_damaged: "log_damaged",
  model_damaged: "model_damaged",
  data_dir: "storage",
  locked: "storage",
  not_writable: "storage",
  disk_full: "storage",
  no_model: "storage",
  comparison_unavailable: "storage",
  divergence: "storage",
  event_log: "unexpected",
  reopen: "unexpected",
  usage: "unexpected",
  invalid_events: "unexpected",
  unknown: "unexpected",
  outdated: "unexpected",
  operator_state_damaged: "unexpected",
  backup_damaged: "unexpected",
  unanswered: "unexpected",
  listen: "unexpected",
  internal: "unexpected",
};

export const formatFault = (fault: Fault): string => {
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

export const formatError = ({ message, hint }: VitrineError): string =>
  [message, hint].filter(Boolean).join("; ");
