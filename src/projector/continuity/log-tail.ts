import type { EventLog } from "../../event-log/event-log.ts";

/** Number of polls without a change of checkpoint and end after which the tail is read again. */
const pollsPerRead = 10;

/**
 * Watches for a log whose latest records were deleted before they were read. It reads the log in the background, when nothing
 * moved between two polls.
 * @param signal ends a read
 */
export const watchTail = (eventLog: EventLog, signal: AbortSignal) => {
  let polled = { checkpoint: -1, end: -1, polls: 0 };
  let emptyAt: { readonly checkpoint: number; readonly end: number } | undefined;
  let isReading = false;
  const readTail = async (checkpoint: number, end: number): Promise<void> => {
    isReading = true;
    // A failed read proves nothing. The comparison of the log with the checkpoint reports the failure.
    const isEmpty = await isEmptyAfter(eventLog, checkpoint, end, signal).catch(() => false);
    if (isEmpty) emptyAt = { checkpoint, end };
    isReading = false;
  };
  return {
    /** @returns true when the log is known to hold no record after the checkpoint, up to its end */
    isEmpty(checkpoint: number, end: number): boolean {
      if (end <= checkpoint) return false;
      const isUnchanged = polled.checkpoint === checkpoint && polled.end === end;
      polled = { checkpoint, end, polls: isUnchanged ? polled.polls + 1 : 0 };
      if (emptyAt?.checkpoint === checkpoint && emptyAt.end === end) return true;
      if (polled.polls % pollsPerRead === 1 && !isReading) void readTail(checkpoint, end);
      return false;
    },
  };
};

/** Checks that the log holds no record after a sequence, up to its last assigned one. */
const isEmptyAfter = async (
  eventLog: EventLog,
  after: number,
  end: number,
  signal: AbortSignal,
): Promise<boolean> => {
  if (await eventLog.get(end)) return false;
  for await (const _ of eventLog.read({ after, follow: false, signal })) return false;
  return !signal.aborted;
};
