import type { Checkpoint, DeadLetter } from "../read-model/schema/checkpoint.ts";

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
