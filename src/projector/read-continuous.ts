import { rewritten } from "../event-log/continuity.ts";
import type { EventLog, LogRecord, ReadOptions } from "../event-log/event-log.ts";
import type { Fingerprint } from "../read-model/schema/checkpoint.ts";
import { fingerprintOf, fingerprintsKept } from "./advance-checkpoint.ts";
import { rewrittenAt } from "./continuity.ts";
import { historyIn } from "./fingerprints.ts";

/**
 * Chunks of a log, all of one history and continuing the one that is known. A log that was away may come back with
 * another history in place of what was read: after each reconnect, what was read last and what comes next are looked
 * up in it before the next is given out. So chunks can be folded together, and committed later.
 * @param known of the newest events before `after`
 * @throws `divergence` when the log holds something else where it was read; `event_log` when it cannot be reached
 */
export async function* readUnbroken(
  log: EventLog,
  options: ReadOptions,
  known: readonly Fingerprint[],
): AsyncGenerator<readonly LogRecord[]> {
  let before = (): readonly Fingerprint[] => known;
  let compared = 0;
  // To begin to read is to have come back.
  let returns = 1;
  const forget = log.onReconnect(() => {
    returns += 1;
  });
  try {
    const isSame = async () => (await historyIn(before(), log)) === "same";
    for await (const chunk of log.read({ ...options, isSame })) {
      const newest = () => chunk.slice(-fingerprintsKept).map(fingerprintOf);
      while (compared !== returns) {
        compared = returns;
        await mustStillHold(log, before());
        await mustStillHold(log, newest());
      }
      before = newest;
      yield chunk;
    }
  } finally {
    forget();
  }
}

const mustStillHold = async (log: EventLog, read: readonly Fingerprint[]): Promise<void> => {
  const sequence = await rewrittenAt(read, log);
  if (sequence !== undefined) throw rewritten(log.address, sequence);
};
