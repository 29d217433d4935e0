import { sleep } from "./async.ts";

/**
 * Yields the values of an iteration, and once undefined when the next value is later than `timeoutMs`.
 * @param isTimed decides before each value whether its time is limited
 */
export async function* withTimeouts<T>(
  values: AsyncIterable<T>,
  timeoutMs: number,
  isTimed: () => boolean,
): AsyncGenerator<T | undefined> {
  const iterator = values[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next();
      if (isTimed() && !(await isReadyWithin(next, timeoutMs))) yield undefined;
      const { done, value } = await next;
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited, because it resolves only with the pending value, which may never arrive.
    iterator.return?.().catch(() => undefined);
  }
}

/** Checks whether a promise resolves or rejects in time. It ignores the error, which the caller awaits next. */
const isReadyWithin = async (promise: Promise<unknown>, timeoutMs: number): Promise<boolean> => {
  const timer = new AbortController();
  const arrived = promise.then(
    () => true,
    () => true,
  );
  const late = sleep(timeoutMs, timer.signal).then(() => false);
  const isInTime = await Promise.race([arrived, late]);
  timer.abort();
  return isInTime;
};
