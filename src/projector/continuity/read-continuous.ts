import { historyRewritten } from "../../event-log/continuity.ts";
import type { EventLog, LogRecord, ReadOptions } from "../../event-log/event-log.ts";
import type { RecordFingerprint } from "../../read-model/schema/checkpoint.ts";
import { fingerprintRecord, fingerprintWindow } from "../advance-checkpoint.ts";
import { firstRewrittenSequence } from "./continuity.ts";
import { verifyFingerprints } from "./fingerprints.ts";

/**
 * Reads chunks of a log that share one history and continue the given one. A log may return with another history after a
 * disconnect. After each reconnect the reader therefore verifies the records it yielded last, and the next chunk, before it
 * yields that chunk. The caller can so fold several chunks into one batch and commit it later.
 * @param initial fingerprints of the latest records up to `after`
 * @throws `divergence` when the log holds other records than were read; `event_log` when the log is unavailable
 */
export async function* readContinuous(
  eventLog: EventLog,
  options: ReadOptions,
  initial: readonly RecordFingerprint[],
): AsyncGenerator<readonly LogRecord[]> {
  let previous = (): readonly RecordFingerprint[] => initial;
  let verifiedCount = 0;
  // The start of a read counts as a connection.
  let connectionCount = 1;
  const unsubscribe = eventLog.onReconnect(() => {
    connectionCount += 1;
  });
  try {
    const isSame = async () => (await verifyFingerprints(previous(), eventLog)) === "same";
    for await (const chunk of eventLog.read({ ...options, isSame })) {
      const latest = () => chunk.slice(-fingerprintWindow).map(fingerprintRecord);
      while (verifiedCount !== connectionCount) {
        verifiedCount = connectionCount;
        await assertUnchanged(eventLog, previous());
        await assertUnchanged(eventLog, latest());
      }
      previous = latest;
      yield chunk;
    }
  } finally {
    unsubscribe();
  }
}

const assertUnchanged = async (
  eventLog: EventLog,
  read: readonly RecordFingerprint[],
): Promise<void> => {
  const sequence = await firstRewrittenSequence(read, eventLog);
  if (sequence !== undefined) throw historyRewritten(eventLog.address, sequence);
};
