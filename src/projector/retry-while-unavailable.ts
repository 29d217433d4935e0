import { messageOf, VitrineError } from "../errors.ts";
import { sleep } from "../platform/async.ts";
import { retry } from "../platform/retry.ts";
import type { ProjectorContext } from "./context.ts";

type RetryContext = Pick<ProjectorContext, "eventLog" | "logger" | "progress" | "signal">;

/**
 * Retries a request while the event log is unavailable, and immediately after a reconnect.
 * @returns undefined when the signal of the context ended the retries
 */
export const retryWhileUnavailable = async <T>(
  context: RetryContext,
  request: () => Promise<T>,
): Promise<T | undefined> => {
  const { logger, progress, signal } = context;
  if (signal.aborted) return undefined;
  return retry(request, {
    firstDelayMs: 100,
    maxDelayMs: 5_000,
    isRetryable: (error) => error instanceof VitrineError && error.code === "event_log",
    onFailure(error) {
      logger.warn({ err: error }, "the event log does not answer; trying again");
      progress.logUnavailable(messageOf(error));
    },
    // A broker may not answer immediately after a reconnect, so the delays begin again.
    wait: (delayMs) => sleepUntilReconnect(context, delayMs),
    signal,
  });
};

/** @returns true when the log reconnected, which ends the sleep early */
const sleepUntilReconnect = async (
  { signal, eventLog }: RetryContext,
  delayMs: number,
): Promise<boolean> => {
  const reconnected = new AbortController();
  const unsubscribe = eventLog.onReconnect(() => reconnected.abort());
  await sleep(delayMs, AbortSignal.any([signal, reconnected.signal]));
  unsubscribe();
  return reconnected.signal.aborted;
};
