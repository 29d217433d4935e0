import { longestWait } from "./admission-control.ts";
import { takeTurns } from "./fair-queue.ts";

/** Does a piece of work for a client. @param late instead, where it waited too long */
export type OneAtATime = <T>(
  client: string,
  work: () => Promise<T>,
  onTimeout: () => T,
) => Promise<T>;

/**
 * For what holds much memory until it is done: one piece of it at a time, with clients taking turns.
 * @param patience milliseconds that a piece waits at most
 */
export const oneAtATime = (maxWaitMs = longestWait): OneAtATime => {
  const queue = takeTurns<() => void>();
  let isRunning = false;
  return async (client, work, onTimeout) => {
    const enqueuedAt = performance.now();
    const isQueued = isRunning;
    if (isQueued) await new Promise<void>((resolve) => queue.add(client, resolve));
    isRunning = true;
    try {
      return isQueued && performance.now() - enqueuedAt > maxWaitMs ? onTimeout() : await work();
    } finally {
      const next = queue.take();
      if (next) next();
      else isRunning = false;
    }
  };
};
