import type { ModelCounts } from "../../read-model/reader/model-counts.ts";
import type { EventCounts } from "../../read-model/schema/checkpoint.ts";

/**
 * Lists the states that a status shows. starting: the log was never reachable · replaying: catching up · live: at the end of
 * the log · stalled: the log holds more events, and none was applied for 5 s (`stallTimeoutMs`) · waiting: the log is
 * unavailable · rebuilding: filling a new generation · faulted: no more events are applied.
 * The run loop has states of its own (`ActiveState` in `projector/state.ts`): replaying, live and stalled are one there,
 * `following`.
 */
export const projectorStates = [
  "starting",
  "replaying",
  "live",
  "stalled",
  "waiting",
  "rebuilding",
  "faulted",
] as const;
export type ProjectorState = (typeof projectorStates)[number];

/** Status that the projector sends to other processes, as JSON. */
export interface ProjectorStatus {
  readonly state: ProjectorState;
  /** Describes the problem and its remedy; null without a problem. */
  readonly reason: string | null;
  /** ISO 8601: start of this state. */
  readonly since: string;
  /** Log sequence of the last applied event. */
  readonly checkpoint: number;
  /** ISO 8601: time at which the log stored the event at the checkpoint; null before the first event. */
  readonly checkpointTime: string | null;
  /** Log sequence of the latest event, or the last one seen while the log is unavailable. */
  readonly logLast: number;
  readonly lagEvents: number;
  /**
   * Age of the oldest unapplied event; 0 at the end of the log. During a rebuild, the possible lag of the generation that
   * readers use.
   */
  readonly lagSeconds: number;
  readonly eventsPerSecond: number;
  /** Seconds to the end of the log at this rate; 0 at the end, null without a rate. */
  readonly etaSeconds: number | null;
  /** True when the log answered the last request. */
  readonly logReachable: boolean;
  /** Name of the generation that the projector writes, e.g. `0001`. */
  readonly generation: string | null;
  readonly tally: EventCounts;
  /** Number of records that were redelivered and skipped since this process started. */
  readonly redelivered: number;
  /** Last counts of the live generation; null before the first generation is live. */
  readonly counts: ModelCounts | null;
}
