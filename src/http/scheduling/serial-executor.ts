import { createFairQueue, defaultMaxWaitMs } from "./work-queue.ts";

/**
 * Runs a task for a client.
 * @param onTimeout runs instead when the task waited too long
 */
export type SerialExecutor = <T>(
  client: string,
  work: () => Promise<T>,
  onTimeout: () => T,
) => Promise<T>;

/**
 * Creates an executor that runs one task at a time, with round-robin between clients. Use it for tasks that
 * hold much memory until they end.
 * @param maxWaitMs maximum wait of a task
 */
export const createSerialExecutor = (maxWaitMs = defaultMaxWaitMs): SerialExecutor => {
  const queue = createFairQueue<() => void>();
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
