import { isBug, messageOf } from "../../errors.ts";
import type { EventLog, LogIdentity } from "../../event-log/event-log.ts";
import type { ProjectorContext } from "../context.ts";

export type LogMonitor = ReturnType<typeof startLogMonitor>;

/**
 * Polls the end of the log for the life of the projector, and reports it to the status. One poll runs at a time.
 * @param onBug receives a bug, which no further poll overcomes
 */
export const startLogMonitor = (
  context: Pick<ProjectorContext, "eventLog" | "progress" | "logger" | "pollIntervalMs">,
  onBug: (error: unknown) => void,
) => {
  const { eventLog, progress, logger } = context;
  const ended = new AbortController();
  let end: number | undefined;
  let latestIdentity: LogIdentity | undefined;
  let onEnd: (() => Promise<void>) | undefined;
  let tail = watchTail(eventLog, ended.signal);
  let running: Promise<void> | undefined;

  const readEnd = async (isCurrent: () => boolean): Promise<void> => {
    const { logLast } = progress.status();
    try {
      const { last } = await eventLog.bounds();
      if (!isCurrent()) return;
      end = last;
      const { checkpoint } = progress.status();
      progress.logEndSeen(tail.isEmpty(checkpoint, last) ? checkpoint : last, logLast);
    } catch (error) {
      if (!isCurrent()) return;
      end = undefined;
      if (isBug(error)) return onBug(error);
      logger.debug({ err: error }, "the end of the log cannot be seen");
      progress.logUnavailable(messageOf(error));
    }
  };
  const poll = (): Promise<void> => {
    if (running) return running;
    const current: Promise<void> = readEnd(
      () => running === current && !ended.signal.aborted,
    ).finally(() => {
      if (running === current) running = undefined;
    });
    running = current;
    return current;
  };
  const pollEnd = async (): Promise<void> => {
    await poll();
    if (end !== undefined) await onEnd?.();
  };
  const timer = setInterval(() => void pollEnd(), context.pollIntervalMs);
  return {
    /** Polls now, or joins the running poll. Resolves when the log has answered or failed, and the follower was notified. */
    pollEnd,
    /**
     * Reads the identity of the log.
     * @throws `event_log` when the log is unavailable
     */
    async identity(): Promise<LogIdentity> {
      latestIdentity = await eventLog.identity();
      return latestIdentity;
    },
    /** Returns the identity that was read last. @returns undefined before the first one */
    latestIdentity: (): LogIdentity | undefined => latestIdentity,
    /** Returns the last sequence that the latest poll saw. @returns undefined while the log is unavailable */
    end: (): number | undefined => end,
    /**
     * Notifies a follower after each poll that the log answered. It abandons a running poll, whose answer may be late.
     * @returns the function that ends the notifications
     */
    subscribe(listener: () => Promise<void>): () => void {
      running = undefined;
      tail = watchTail(eventLog, ended.signal);
      onEnd = listener;
      return () => {
        if (onEnd === listener) onEnd = undefined;
      };
    },
    stop(): void {
      ended.abort();
      clearInterval(timer);
    },
  };
};

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
