import { randomUUID } from "node:crypto";
import type { EventLog, LogBounds, LogIdentity } from "../../event-log/event-log.ts";
import type { Checkpoint } from "../../read-model/schema/checkpoint.ts";
import { isSameEventLog, type LogReference, verifyFingerprints } from "./fingerprints.ts";

/** Contract §2: describes why a log no longer continues the model, or why the model is outdated. */
export interface Divergence {
  readonly kind: "recreated" | "shorter" | "trimmed" | "rewritten" | "outdated";
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
  const bounds = await eventLog.bounds();
  const change = await diagnoseHistory(checkpoint, eventLog, identity);
  const found =
    change?.kind === "recreated"
      ? change
      : (diagnoseBounds(bounds, eventLog, checkpoint.sequence) ?? change);
  return { identity, divergence: found && { ...found, isLogComplete: bounds.isComplete } };
};

/**
 * Chooses the history of a generation that replaces another one (Contract §11). What was read of a log that went back is not what
 * it holds now, so its positions must not be compared with later ones. Another log begins without a history.
 * @param divergence between the replaced generation and the log; undefined when the log continues it
 */
export const nextHistory = (
  replaced: Checkpoint | undefined,
  divergence: Divergence | undefined,
): string | undefined => {
  switch (divergence?.kind) {
    case "shorter":
    case "rewritten":
    case "trimmed":
      return randomUUID();
    case "recreated":
      return undefined;
    case "outdated":
    case undefined:
      return replaced?.history;
  }
};

type Diagnosis = Pick<Divergence, "kind" | "reason">;

/**
 * Judges whether a log is the one that records were read from, and still holds them.
 * @param reported the identity that the log reported before its records are looked up
 * @returns undefined when nothing proves the contrary
 * @throws `event_log` when the log is unavailable
 */
export const diagnoseHistory = async (
  reference: LogReference,
  eventLog: EventLog,
  reported: LogIdentity,
): Promise<Diagnosis | undefined> => {
  const { address } = eventLog;
  if (!(await isSameEventLog(reference, eventLog, reported))) {
    return {
      kind: "recreated",
      reason: `${address} was created ${reported.created}, the one that was read was created ${reference.identity.created}: it is another log under the same name`,
    };
  }
  const history = await verifyFingerprints(reference.fingerprints, eventLog);
  if (typeof history !== "number") return undefined;
  return {
    kind: "rewritten",
    reason: `${address} holds another event at sequence ${history} than the one that was read there`,
  };
};

/** Judges whether a log can be read after a checkpoint. A log that keeps the latest event of each subject may begin late. */
const diagnoseBounds = (
  { first, last, isComplete }: LogBounds,
  { address }: EventLog,
  checkpoint: number,
): Diagnosis | undefined => {
  if (last < checkpoint) {
    return {
      kind: "shorter",
      reason: `${address} ends at sequence ${last}, before the checkpoint ${checkpoint}: it was rolled back`,
    };
  }
  if (checkpoint === 0 || first <= checkpoint + 1 || isComplete) return undefined;
  return {
    kind: "trimmed",
    reason: `${address} begins at sequence ${first}, events ${checkpoint + 1} to ${first - 1} are gone before they were read`,
  };
};
