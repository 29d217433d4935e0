/** States of the projector, and the transitions between them. Pure: no I/O, no clock, no log. */

import type { VitrineError } from "../errors.ts";
import type { ProjectorContext } from "./context.ts";
import type { Divergence } from "./continuity/continuity.ts";
import { type Fault, formatError, formatFault, toFault } from "./faults.ts";
import type { Generation } from "./open-generation.ts";
import type { ProjectorStatus } from "./status/status.ts";

/**
 * State with an activity (`runActivity` in `run.ts`). It is not the state that the status shows (`ProjectorState` in
 * `status/status.ts`): `following` is shown as `replaying`, `live`, `stalled`, or as the failure of a batch or of the log. Any
 * other state is shown under its own name (`describeState`). Before the log is open the projector has no generation and
 * none of these states, and the status is `starting`, or `waiting`.
 */
export type ActiveState =
  /** Applies the log to the generation. */
  | { readonly name: "following"; readonly generation: Generation }
  /** Waits until the log is available, after it failed during other work. */
  | { readonly name: "waiting"; readonly generation: Generation; readonly error: VitrineError }
  /** Replays the log into another generation. */
  | { readonly name: "rebuilding"; readonly generation: Generation; readonly cause: Divergence }
  /** Applies nothing until the condition of the fault holds. */
  | { readonly name: "faulted"; readonly generation: Generation; readonly fault: Fault };

export type State =
  | ActiveState
  /** Stopped, or ended by an error after which only another process can continue. */
  | {
      readonly name: "ended";
      readonly generation: Generation;
      readonly error: VitrineError | undefined;
    };

export type Outcome =
  | { readonly kind: "stopped" }
  /** A control request waits. The run loop serves it before the next activity. */
  | { readonly kind: "request_pending" }
  /** The log is available again, or the condition of a fault holds. */
  | { readonly kind: "retry_due" }
  /** The log is unavailable (`event_log`). */
  | { readonly kind: "log_unavailable"; readonly error: VitrineError }
  /** A read found another log than before (`divergence`). */
  | { readonly kind: "log_changed"; readonly error: VitrineError }
  /** Only another process can continue (`reopen`). */
  | { readonly kind: "superseded"; readonly error: VitrineError }
  | { readonly kind: "failed"; readonly error: VitrineError }
  /** The log does not continue the generation, or other versions of the projections wrote it. */
  | { readonly kind: "diverged"; readonly divergence: Divergence; readonly stage: Stage }
  /** A first replay or a rebuild is live. */
  | { readonly kind: "replayed"; readonly generation: Generation }
  | Extract<Fault, { readonly kind: "rebuild_refused" }>;

/** Stage of a generation. `empty`: nothing was applied. `first_replay`: no generation is live, so readers see nothing. */
export type Stage = "empty" | "first_replay" | "live";

/** The next state, and the work before its activity begins. */
export interface Transition {
  readonly state: State;
  readonly effect?: Effect;
}

export type Effect =
  /** Sleeps for one poll interval. */
  | { readonly kind: "pause" }
  /** Replaces the generation of the state with an empty one. */
  | { readonly kind: "restart_first_replay"; readonly reason: string };

export const transition = (
  state: ActiveState,
  outcome: Outcome,
  policy: ProjectorContext["onDivergence"],
): Transition => {
  const { generation } = state;
  switch (outcome.kind) {
    case "stopped":
      return { state: { name: "ended", generation, error: undefined } };
    case "superseded":
      return { state: { name: "ended", generation, error: outcome.error } };
    // The request may have removed a fault. The projector follows the log to find out.
    case "request_pending":
    case "retry_due":
      return { state: { name: "following", generation } };
    case "log_unavailable":
      return { state: { name: "waiting", generation, error: outcome.error } };
    case "log_changed":
      // The next comparison of the log finds the divergence.
      return {
        state:
          state.name === "rebuilding"
            ? { name: "waiting", generation, error: outcome.error }
            : { name: "faulted", generation, fault: { kind: "storage", error: outcome.error } },
      };
    case "failed": {
      const cause = state.name === "rebuilding" ? state.cause : undefined;
      return { state: { name: "faulted", generation, fault: toFault(outcome.error, cause) } };
    }
    case "diverged":
      return afterDivergence(generation, outcome, policy);
    case "replayed":
      return { state: { name: "following", generation: outcome.generation } };
    case "rebuild_refused":
      return { state: { name: "faulted", generation, fault: outcome } };
  }
};

const afterDivergence = (
  generation: Generation,
  { divergence, stage }: Extract<Outcome, { readonly kind: "diverged" }>,
  policy: ProjectorContext["onDivergence"],
): Transition => {
  const following: State = { name: "following", generation };
  // Nothing was applied yet, so the projector follows the current log from its beginning.
  if (stage === "empty") return { state: following, effect: { kind: "pause" } };
  const isRebuildAllowed = policy === "rebuild";
  if (stage === "first_replay" && (isRebuildAllowed || divergence.kind === "outdated")) {
    return {
      state: following,
      effect: { kind: "restart_first_replay", reason: divergence.reason },
    };
  }
  if (isRebuildAllowed && divergence.isLogComplete)
    return { state: { name: "rebuilding", generation, cause: divergence } };
  const obstacle = isRebuildAllowed ? "incomplete_log" : "stop";
  return {
    state: { name: "faulted", generation, fault: { kind: "diverged", divergence, obstacle } },
  };
};

export const toOutcome = (error: VitrineError): Outcome => {
  switch (error.code) {
    case "event_log":
      return { kind: "log_unavailable", error };
    case "divergence":
      return { kind: "log_changed", error };
    case "reopen":
      return { kind: "superseded", error };
    default:
      return { kind: "failed", error };
  }
};

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
