import type { EventLog, LogBounds, LogIdentity } from "../../event-log/event-log.ts";
import type { Checkpoint, RecordFingerprint } from "../../read-model/schema/checkpoint.ts";
import { isSameEventLog, verifyFingerprints } from "./fingerprints.ts";

/** Contract §2: describes why a log no longer continues the model, or why the model is outdated. */
export interface Divergence {
  readonly kind: "recreated" | "shorter" | "trimmed" | "rewritten" | "outdated";
  /** Describes the divergence in one sentence. */
  readonly reason: string;
  /** True when a replay of the remaining log yields the complete shop. */
  readonly isLogComplete: boolean;
}

/**
 * Compares a checkpoint with the log that it was read from.
 * @returns undefined when the log continues the checkpoint
 * @throws `event_log` when the log is unavailable
 */
export const findDivergence = async (
  checkpoint: Checkpoint,
  eventLog: EventLog,
): Promise<Divergence | undefined> => (await compareWithLog(checkpoint, eventLog)).divergence;

/**
 * Compares a checkpoint with the log that it was read from, and returns the identity that the log reported before.
 * @throws `event_log` when the log is unavailable
 */
export const compareWithLog = async (
  checkpoint: Checkpoint,
  eventLog: EventLog,
): Promise<{ readonly identity: LogIdentity; readonly divergence: Divergence | undefined }> => {
  const identity = await eventLog.identity();
  return { identity, divergence: await diagnoseDivergence(checkpoint, eventLog, identity) };
};

const diagnoseDivergence = async (
  checkpoint: Checkpoint,
  eventLog: EventLog,
  identity: LogIdentity,
): Promise<Divergence | undefined> => {
  const bounds = await eventLog.bounds();
  const diverged = (kind: Divergence["kind"], reason: string): Divergence => ({
    kind,
    reason,
    isLogComplete: bounds.isComplete,
  });
  const { sequence } = checkpoint;
  if (!(await isSameEventLog(checkpoint, eventLog, identity))) {
    return diverged(
      "recreated",
      `${eventLog.address} was created ${identity.created}, the model follows one created ${checkpoint.identity.created}: it is another log under the same name`,
    );
  }
  if (bounds.last < sequence) {
    return diverged(
      "shorter",
      `${eventLog.address} ends at sequence ${bounds.last}, before the checkpoint ${sequence}: it was rolled back`,
    );
  }
  if (isTrimmed(bounds, sequence)) {
    return diverged(
      "trimmed",
      `${eventLog.address} begins at sequence ${bounds.first}, events ${sequence + 1} to ${bounds.first - 1} are gone before they were read`,
    );
  }
  const rewritten = await firstRewrittenSequence(checkpoint.fingerprints, eventLog);
  return rewritten === undefined
    ? undefined
    : diverged(
        "rewritten",
        `${eventLog.address} holds another event at sequence ${rewritten} than the one the model was made from`,
      );
};

/** Detects lost history. A log that keeps the latest event of each subject may begin late, but is complete. */
const isTrimmed = (bounds: LogBounds, sequence: number): boolean =>
  sequence > 0 && bounds.first > sequence + 1 && !bounds.isComplete;

/**
 * Finds the sequence at which the log holds another event than was read there (see `verifyFingerprints`).
 * @returns undefined when the fingerprints prove no rewrite
 * @throws `event_log` when the log is unavailable
 */
export const firstRewrittenSequence = async (
  fingerprints: readonly RecordFingerprint[],
  eventLog: EventLog,
): Promise<number | undefined> => {
  const history = await verifyFingerprints(fingerprints, eventLog);
  return typeof history === "number" ? history : undefined;
};
