import type { Rendering } from "../../projections/field-group.ts";
import type { EventLog } from "../event-log/event-log.ts";
import type { Logger } from "../log.ts";
import type { DataDirectory } from "../read-model/generations/data-directory.ts";
import type { OperatorState } from "../read-model/operator/state.ts";
import type { AppliedBatch } from "./batch/batch.ts";
import type { Progress } from "./status-tracker.ts";

/** All that a projector needs of the world. The lock of the data directory is held by whoever starts it. */
export interface ProjectorWorld {
  readonly directory: DataDirectory;
  /** Revocations and discards, open for as long as the projector runs. */
  readonly operator: OperatorState;
  readonly eventLog: EventLog;
  readonly rendering: Rendering;
  readonly log: Logger;
  readonly progress: Progress;
  /** The wall clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** What to do when the log no longer continues the model (contract section 2). */
  readonly onDivergence: "rebuild" | "stop";
  /** How often the end of the log is looked at, in milliseconds. */
  readonly lookEvery: number;
  /** How often the log is compared with the checkpoint, in milliseconds. */
  readonly checkEvery: number;
  /** Called after each committed batch with its duration in seconds. */
  readonly onBatch?: (batch: AppliedBatch, seconds: number) => void;
  /** Ends the projector after the batch at hand. */
  readonly signal: AbortSignal;
}
