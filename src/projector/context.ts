import type { HtmlRenderer } from "../../projections/projection.ts";
import type { EventLog } from "../event-log/event-log.ts";
import type { Logger } from "../log.ts";
import type { DataDirectory } from "../read-model/generations/data-directory.ts";
import type { OperatorState } from "../read-model/operator/state.ts";
import type { Checkpoint, DeadLetter } from "../read-model/schema/checkpoint.ts";
import type { StatusTracker } from "./status/status-tracker.ts";

/** Dependencies and settings of a projector. The caller holds the lock of the data directory. */
export interface ProjectorContext {
  readonly directory: DataDirectory;
  /** Stores revocations and discards; stays open while the projector runs. */
  readonly operator: OperatorState;
  readonly eventLog: EventLog;
  readonly rendering: HtmlRenderer;
  readonly logger: Logger;
  readonly progress: StatusTracker;
  /** Reads the wall clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** Contract §2: selects the reaction to a log that no longer continues the model. */
  readonly onDivergence: "rebuild" | "stop";
  /** Interval between two polls of the log end, in milliseconds. */
  readonly pollIntervalMs: number;
  /** Interval between two comparisons of the log with the checkpoint, in milliseconds. */
  readonly continuityIntervalMs: number;
  /** Receives each committed batch and its duration in seconds. */
  readonly onBatch?: (batch: BatchResult, seconds: number) => void;
  readonly signal: AbortSignal;
}

/** Result of one batch. The counts are of this batch only. */
export interface BatchResult {
  readonly checkpoint: Checkpoint;
  readonly applied: number;
  readonly stale: number;
  readonly repeated: number;
  readonly rejected: number;
  /** Number of records at or before the checkpoint, which are skipped. */
  readonly redelivered: number;
  readonly deadLetters: readonly DeadLetter[];
}
