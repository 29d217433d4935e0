import { setTimeout as delay } from "node:timers/promises";
import { VitrineError } from "../errors.ts";
import type { ProjectorContext } from "./context.ts";

/** First and maximum delay between two attempts. */
const delaysMs = { first: 100, max: 5_000 };

/**
 * Retries a request while the event log is unavailable, and immediately after a reconnect.
 * @param isOver ends the retries when it returns true
 * @returns undefined when `isOver` or the signal of the context ended the retries
 */
export const retryWhileUnavailable = async <T>(
  context: ProjectorContext,
  request: () => Promise<T>,
  isOver: () => boolean = () => false,
): Promise<T | undefined> => {
  for (let delayMs = delaysMs.first; !context.signal.aborted; ) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof VitrineError && error.code === "event_log")) throw error;
      context.logger.warn({ err: error }, "the event log does not answer; trying again");
      context.progress.logUnavailable(error.message);
      const isReconnected = await sleepUntilReconnect(context, delayMs, isOver);
      if (isOver()) return undefined;
      // A broker may not answer immediately after a reconnect.
      delayMs = isReconnected ? delaysMs.first : Math.min(delayMs * 2, delaysMs.max);
    }
  }
  return undefined;
};

/** @returns true when the log reconnected, which ends the sleep early */
const sleepUntilReconnect = async (
  { signal, pollIntervalMs, eventLog }: ProjectorContext,
  delayMs: number,
  isOver: () => boolean,
): Promise<boolean> => {
  let isReconnected = false;
  const ended = new AbortController();
  const stop = (): void => ended.abort();
  signal.addEventListener("abort", stop);
  const unsubscribe = eventLog.onReconnect(() => {
    isReconnected = true;
    stop();
  });
  const options = { signal: ended.signal };
  const end = performance.now() + delayMs;
  for (
    let remainingMs = delayMs;
    remainingMs > 0 && !options.signal.aborted;
    remainingMs = end - performance.now()
  ) {
    if (signal.aborted || isOver()) break;
    await delay(Math.min(remainingMs, pollIntervalMs), undefined, options).catch(() => undefined);
  }
  signal.removeEventListener("abort", stop);
  unsubscribe();
  return isReconnected;
};
