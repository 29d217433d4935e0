import type { ModelCounts } from "../read-model/reader/model-counts.ts";
import type { Tally } from "../read-model/schema/checkpoint.ts";

/**
 * starting: before the log was reached for the first time · replaying: catching up · live: at the end of the log ·
 * stalled: the log holds more, and nothing of it was applied for some seconds · waiting: the log cannot be reached ·
 * rebuilding: filling a new generation · faulted: nothing more is applied.
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

/** What a projector knows of itself; crosses process borders as JSON. */
export interface ProjectorStatus {
  readonly state: ProjectorState;
  /** What is wrong and what to do about it; null while nothing is. */
  readonly reason: string | null;
  /** ISO 8601: since when it is in this state. */
  readonly since: string;
  /** Log sequence the model includes. */
  readonly checkpoint: number;
  /** ISO 8601: when the log took the event at the checkpoint; null before the first. */
  readonly checkpointTime: string | null;
  /** Log sequence of the newest event; the last one known while the log is away. */
  readonly logLast: number;
  readonly lagEvents: number;
  /**
   * Age of the oldest event that is not applied yet; 0 at the end of the log. While a new generation is filled, what the
   * one that answers may be behind.
   */
  readonly lagSeconds: number;
  readonly eventsPerSecond: number;
  /** Until the end of the log at this rate; 0 at the end, null while it cannot be told. */
  readonly etaSeconds: number | null;
  /** The log answered when it was last asked. */
  readonly logReachable: boolean;
  /** Name of the generation being written, e.g. `0001`. */
  readonly generation: string | null;
  readonly tally: Tally;
  /** Records delivered again and skipped, since this process began. */
  readonly redelivered: number;
  /** What the live generation holds, as last counted; null before the first is live. */
  readonly counts: ModelCounts | null;
}
