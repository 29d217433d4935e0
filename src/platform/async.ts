import { setTimeout as timer } from "node:timers/promises";

/** Resolves after `ms` milliseconds, or when `signal` aborts. Never rejects. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await timer(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}

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
