import type { EventLog, LogBounds } from "../event-log/log.ts";
import type { Checkpoint, Fingerprint } from "../read-model/checkpoint.ts";
import { fingerprintOf } from "./checkpoint.ts";

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
): Promise<Divergence | undefined> => {
  const [identity, bounds] = [await log.identity(), await log.bounds()];
  const diverged = (kind: Divergence["kind"], reason: string): Divergence => ({
    kind,
    reason,
    whole: bounds.whole,
  });
  const { sequence } = checkpoint;
  if (
    identity.name !== checkpoint.identity.name ||
    identity.created !== checkpoint.identity.created
  ) {
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
 * The sequence at which a log holds another event than was read there, as far as fingerprints can tell. Newest first:
 * the first event the log still holds decides. One that is not there was superseded, or deleted: either proves nothing,
 * but an older one of its subject in its place proves that the log went back.
 * @throws `event_log` when the log cannot be reached.
 */
export const rewrittenAt = async (
  fingerprints: readonly Fingerprint[],
  log: EventLog,
): Promise<number | undefined> => {
  for (const known of fingerprints.toReversed()) {
    const record = await log.at(known.sequence);
    if (!record) {
      const newest = await log.newestOf(known.subject);
      if (newest && newest.sequence < known.sequence) return known.sequence;
      continue;
    }
    return JSON.stringify(fingerprintOf(record)) === JSON.stringify(known)
      ? undefined
      : known.sequence;
  }
  return undefined;
};
