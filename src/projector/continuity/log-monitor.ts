import { isBug, messageOf } from "../../errors.ts";
import type { LogIdentity } from "../../event-log/event-log.ts";
import type { ProjectorContext } from "../context.ts";
import { watchTail } from "./log-tail.ts";

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
