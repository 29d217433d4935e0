import type { EventLog, LogIdentity } from "../../event-log/event-log.ts";
import type { Checkpoint, RecordFingerprint } from "../../read-model/schema/checkpoint.ts";
import { tables } from "../../read-model/schema/tables.ts";
import { readCheckpoint } from "../../read-model/store/store.ts";
import { fingerprintRecord } from "../advance-checkpoint.ts";
import type { ProjectorContext } from "../context.ts";
import type { Generation } from "../open-generation.ts";

/** Identifies the log that a model was built from. */
export type LogReference = Pick<Checkpoint, "identity" | "fingerprints">;

/** "same" when an event is unchanged, "unknown" when the log holds none of them, else the sequence of a rewritten event. */
type History = "same" | "unknown" | number;

/**
 * Compares the log with the fingerprints of records that were read from it. The latest record that the log still holds
 * decides. A missing record was superseded or deleted, which proves nothing. A missing record whose subject now ends with an
 * older one proves that the log was rolled back.
 * @throws `event_log` when the log is unavailable
 */
export const verifyFingerprints = async (
  fingerprints: readonly RecordFingerprint[],
  eventLog: EventLog,
): Promise<History> => {
  for (const expected of fingerprints.toReversed()) {
    const record = await eventLog.get(expected.sequence);
    if (!record) {
      const latest = await eventLog.latestOfSubject(expected.subject);
      if (latest && latest.sequence < expected.sequence) return expected.sequence;
      continue;
    }
    return JSON.stringify(fingerprintRecord(record)) === JSON.stringify(expected)
      ? "same"
      : expected.sequence;
  }
  return "unknown";
};

/**
 * Checks whether a log is the one that the model was built from. Workaround for nats-server 2.9: an edited stream reports
 * another creation time from the server's second start on. An unchanged record, which includes its time in milliseconds,
 * then proves that the log is the same.
 * @param reported the identity that the log reported before its records are looked up
 * @throws `event_log` when the log is unavailable
 */
export const isSameEventLog = async (
  { identity, fingerprints }: LogReference,
  eventLog: EventLog,
  reported: LogIdentity,
): Promise<boolean> => {
  if (reported.name !== identity.name) return false;
  return (
    reported.created === identity.created ||
    (await verifyFingerprints(fingerprints, eventLog)) === "same"
  );
};

/**
 * Stores the identity that the log reports now, because the log may later drop the records that prove it.
 * @param compared the checkpoint that was compared with the log
 * @param reported the identity that the log reported before the comparison
 */
export const updateIdentity = (
  { logger }: ProjectorContext,
  { store }: Generation,
  compared: Checkpoint,
  reported: LogIdentity,
): void => {
  const { created } = compared.identity;
  if (reported.created === created) return;
  try {
    store.transaction((stored) => {
      const checkpoint = readCheckpoint(stored);
      if (checkpoint?.identity.created !== created) return;
      stored.put(tables.meta, "checkpoint", { ...checkpoint, identity: reported });
    });
    logger.warn(
      { created: reported.created, stored: created },
      "the event log reports another creation time but holds the records that were read: following it",
    );
  } catch (error) {
    // The disk may be full. The next comparison tries again.
    logger.debug({ err: error }, "the identity of the event log cannot be stored");
  }
};
