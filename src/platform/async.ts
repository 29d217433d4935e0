import { setTimeout as timer } from "node:timers/promises";

/** Resolves after `ms` milliseconds, or when `signal` aborts. Never rejects. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await timer(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}

const sleepBuffer = new Int32Array(new SharedArrayBuffer(4));

/** Blocks this thread for `ms` milliseconds. */
export const sleepSync = (ms: number): void => void Atomics.wait(sleepBuffer, 0, 0, ms);

/** Uses a resource and closes it. */
export const closeAfter = async <R extends { close(): Promise<void> }, T>(
  resource: R,
  use: (resource: R) => T | Promise<T>,
): Promise<T> => {
  try {
    return await use(resource);
  } finally {
    await resource.close();
  }
};

export const isAborted = (...signals: readonly (AbortSignal | undefined)[]): boolean =>
  signals.some((signal) => signal?.aborted === true);

/**
 * Resolves with the promise's value, or with undefined when `signal` aborts; the promise's later result is ignored.
 */
export async function raceAbort<T>(
  promise: Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  let onAbort = () => {};
  const whenAborted = new Promise<undefined>((resolve) => {
    onAbort = () => resolve(undefined);
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
  });
  return Promise.race([promise, whenAborted]).finally(() =>
    signal.removeEventListener("abort", onAbort),
  );
}

/**
 * Returns a signal that aborts after `ms` milliseconds. Workaround for Node 20: `AbortSignal.timeout` may be collected before it fires when only `AbortSignal.any` refers
 * to it.
 */
export function abortAfter(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), Math.ceil(ms)).unref();
  return controller.signal;
}

/** Resolves when one of the listeners is called, or at abort. */
export function waitForCall(listeners: Set<() => void>, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      listeners.delete(done);
      ended.removeEventListener("abort", done);
      resolve();
    };
    listeners.add(done);
    ended.addEventListener("abort", done);
    if (ended.aborted) done();
  });
}

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
