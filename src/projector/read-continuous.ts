import { rewritten } from "../event-log/continuity.ts";
import type { EventLog, LogRecord, ReadOptions } from "../event-log/event-log.ts";
import type { Fingerprint } from "../read-model/schema/checkpoint.ts";
import { fingerprintOf, fingerprintsKept } from "./advance-checkpoint.ts";
import { rewrittenAt } from "./continuity.ts";
import { historyIn } from "./fingerprints.ts";

/**
 * Reads chunks of a log that share one history and continue the given one. A log may return with another history after a
 * disconnect. After each reconnect the reader therefore verifies the records it yielded last, and the next chunk, before it
 * yields that chunk. The caller can so fold several chunks into one batch and commit it later.
 * @param initial fingerprints of the latest records up to `after`
 * @throws `divergence` when the log holds other records than were read; `event_log` when the log is unavailable
 */
export async function* readUnbroken(
  eventLog: EventLog,
  options: ReadOptions,
  initial: readonly Fingerprint[],
): AsyncGenerator<readonly LogRecord[]> {
  let previous = (): readonly Fingerprint[] => initial;
  let verifiedCount = 0;
  // The start of a read counts as a connection.
  let connectionCount = 1;
  const unsubscribe = eventLog.onReconnect(() => {
    connectionCount += 1;
  });
  try {
    const isSame = async () => (await historyIn(previous(), eventLog)) === "same";
    for await (const chunk of eventLog.read({ ...options, isSame })) {
      const latest = () => chunk.slice(-fingerprintsKept).map(fingerprintOf);
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

const assertUnchanged = async (eventLog: EventLog, read: readonly Fingerprint[]): Promise<void> => {
  const sequence = await rewrittenAt(read, eventLog);
  if (sequence !== undefined) throw rewritten(eventLog.address, sequence);
};
