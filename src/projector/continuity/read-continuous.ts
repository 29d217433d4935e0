import { isDeepStrictEqual } from "node:util";
import { VitrineError } from "../../errors.ts";
import type { EventLog, LogRecord, ReadOptions } from "../../event-log/event-log.ts";
import { rebuildHint } from "../../event-log/read-position.ts";
import { fingerprintRecord, fingerprintWindow } from "../advance-checkpoint.ts";
import { diagnoseHistory } from "./continuity.ts";
import type { LogReference } from "./fingerprints.ts";

/**
 * Reads chunks of a log that share one history and continue the given one. A log may return with another history after a
 * disconnect, and the log then awaits the verification before it yields a record of the new connection
 * (`createConsumerAt`). The caller can so fold several chunks into one batch and commit it later.
 * @param reference identity of the log, undefined for that of the start of the read; fingerprints of earlier records
 * @throws `divergence` when the log is another one or holds other records than were read; `event_log` when the log is
 * unavailable
 */
export const readContinuous = (
  eventLog: EventLog,
  options: Omit<ReadOptions, "verify">,
  reference: Partial<LogReference> = {},
): AsyncIterable<readonly LogRecord[]> =>
  eventLog.read({ ...options, verify: createVerifier(eventLog, reference) });

const createVerifier = (
  eventLog: EventLog,
  { identity: initial, fingerprints = [] }: Partial<LogReference>,
): NonNullable<ReadOptions["verify"]> => {
  let identity = initial;
  return async ({ identity: reported, isResumed, latest }) => {
    identity ??= reported;
    // A connection that was verified goes on with its history, unless the log was replaced.
    if (!isResumed && isDeepStrictEqual(reported, identity)) return;
    const read = latest.slice(-fingerprintWindow).map(fingerprintRecord);
    // Of all records that the log still holds the one with the highest sequence decides.
    const applied = [...fingerprints, ...read].sort((a, b) => a.sequence - b.sequence);
    const reference = { identity, fingerprints: applied };
    const change = await diagnoseHistory(reference, eventLog, reported);
    if (change) throw new VitrineError("divergence", change.reason, rebuildHint);
    // An edited stream reports another creation time from now on.
    identity = reported;
  };
};
