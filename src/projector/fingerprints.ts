import type { EventLog, LogIdentity, ReadOptions } from "../event-log/event-log.ts";
import type { Checkpoint, Fingerprint } from "../read-model/schema/checkpoint.ts";
import { tables } from "../read-model/schema/tables.ts";
import { fingerprintOf } from "./advance-checkpoint.ts";
import type { ProjectorWorld } from "./context.ts";
import type { Generation } from "./open-generation.ts";

/** What is known of the log that something was made of. */
export type KnownLog = Pick<Checkpoint, "identity" | "fingerprints">;

/** "same" where an event is as it was read, "unknown" where none of them is there, else the sequence of one that is not. */
type History = "same" | "unknown" | number;

/**
 * What a log holds where events were read, as far as fingerprints can tell. Newest first: the first event the log still
 * holds decides. One that is not there was superseded, or deleted: either proves nothing, but an older one of its subject
 * in its place proves that the log went back.
 * @throws `event_log` when the log cannot be reached
 */
export const historyIn = async (
  fingerprints: readonly Fingerprint[],
  log: EventLog,
): Promise<History> => {
  for (const known of fingerprints.toReversed()) {
    const record = await log.at(known.sequence);
    if (!record) {
      const newest = await log.newestOf(known.subject);
      if (newest && newest.sequence < known.sequence) return known.sequence;
      continue;
    }
    return JSON.stringify(fingerprintOf(record)) === JSON.stringify(known)
      ? "same"
      : known.sequence;
  }
  return "unknown";
};

/**
 * Whether a log is the one that is known. nats-server 2.9 says another time of creation of a stream that was edited, from
 * its second start on: then an event that is as it was read proves it, down to the millisecond in which the log took it.
 * @param found as the log said before: what is looked up after that is of this one, or of one that does not hold it
 * @throws `event_log` when the log cannot be reached
 */
export const isKnownLog = async (
  { identity, fingerprints }: KnownLog,
  log: EventLog,
  found: LogIdentity,
): Promise<boolean> => {
  if (found.name !== identity.name) return false;
  return found.created === identity.created || (await historyIn(fingerprints, log)) === "same";
};

/** What a reading is told of the log it goes on with. */
export const readingOf = (
  { identity, fingerprints }: KnownLog,
  log: EventLog,
): Required<Pick<ReadOptions, "identity" | "isSame">> => ({
  identity,
  isSame: async () => (await historyIn(fingerprints, log)) === "same",
});

/**
 * Keeps with a generation what its log calls itself by now: some day none of the events may be left that prove it.
 * @param known as it was compared with the log
 * @param found as the log said before it was compared
 */
export const keepIdentity = (
  { log }: ProjectorWorld,
  { store }: Generation,
  known: Checkpoint,
  found: LogIdentity,
): void => {
  const { created } = known.identity;
  if (found.created === created) return;
  try {
    store.transaction((stored) => {
      const checkpoint = stored.get(tables.meta, "checkpoint");
      if (checkpoint?.identity.created !== created) return;
      stored.put(tables.meta, "checkpoint", { ...checkpoint, identity: found });
    });
    log.warn(
      { created: found.created, known: created },
      "the event log says another time of its creation, and holds what was read: it is the same, and is followed on",
    );
  } catch (error) {
    // For want of room on the disk: the next comparison tries again.
    log.debug({ err: error }, "what the event log calls itself cannot be kept");
  }
};
