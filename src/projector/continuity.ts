import type { EventLog, LogBounds, LogIdentity } from "../event-log/event-log.ts";
import type { Checkpoint, Fingerprint } from "../read-model/schema/checkpoint.ts";
import { historyIn, isKnownLog } from "./fingerprints.ts";

/** Why a log no longer continues the model (contract section 2, the log's own faults). */
export interface Divergence {
  readonly kind: "recreated" | "shorter" | "trimmed" | "rewritten";
  /** What was found, in one sentence. */
  readonly reason: string;
  /** True when a replay of what the log still holds gives the whole shop. */
  readonly whole: boolean;
}

/**
 * Compares a checkpoint with the log it was read from.
 * @returns undefined when the log continues it.
 * @throws `event_log` when the log cannot be reached.
 */
export const checkLog = async (
  checkpoint: Checkpoint,
  log: EventLog,
): Promise<Divergence | undefined> => (await compareLog(checkpoint, log)).divergence;

/** The same, with what the log called itself before it was compared. Throws as `checkLog` does. */
export const compareLog = async (
  checkpoint: Checkpoint,
  log: EventLog,
): Promise<{ readonly identity: LogIdentity; readonly divergence: Divergence | undefined }> => {
  const identity = await log.identity();
  return { identity, divergence: await divergenceOf(checkpoint, log, identity) };
};

const divergenceOf = async (
  checkpoint: Checkpoint,
  log: EventLog,
  identity: LogIdentity,
): Promise<Divergence | undefined> => {
  const bounds = await log.bounds();
  const diverged = (kind: Divergence["kind"], reason: string): Divergence => ({
    kind,
    reason,
    whole: bounds.whole,
  });
  const { sequence } = checkpoint;
  if (!(await isKnownLog(checkpoint, log, identity))) {
    return diverged(
      "recreated",
      `${log.address} was created ${identity.created}, the model follows one created ${checkpoint.identity.created}: it is another log under the same name`,
    );
  }
  if (bounds.last < sequence) {
    return diverged(
      "shorter",
      `${log.address} ends at sequence ${bounds.last}, before the checkpoint ${sequence}: it was rolled back`,
    );
  }
  if (isTrimmed(bounds, sequence)) {
    return diverged(
      "trimmed",
      `${log.address} begins at sequence ${bounds.first}, events ${sequence + 1} to ${bounds.first - 1} are gone before they were read`,
    );
  }
  const rewritten = await rewrittenAt(checkpoint.fingerprints, log);
  return rewritten === undefined
    ? undefined
    : diverged(
        "rewritten",
        `${log.address} holds another event at sequence ${rewritten} than the one the model was made from`,
      );
};

/** A log that keeps the newest event of each subject begins later without having lost anything. */
const isTrimmed = (bounds: LogBounds, sequence: number): boolean =>
  sequence > 0 && bounds.first > sequence + 1 && !bounds.whole;

/**
 * The sequence at which a log holds another event than was read there, as far as fingerprints can tell (`historyIn`).
 * @throws `event_log` when the log cannot be reached.
 */
export const rewrittenAt = async (
  fingerprints: readonly Fingerprint[],
  log: EventLog,
): Promise<number | undefined> => {
  const history = await historyIn(fingerprints, log);
  return typeof history === "number" ? history : undefined;
};
