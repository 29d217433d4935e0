import type { CurrentReader, Reader } from "../../read-model/reader/reader.ts";

/**
 * Maximum age of the shared snapshot in milliseconds, because a tick with a thousand readable connections may
 * be long.
 */
const maxAgeMs = 1;

/**
 * Selects the live generation once per event-loop tick, and pins its newest commit for all requests read in
 * that tick. The two lookups cost as much as a response from the cache.
 *
 * Invariant: no request sees an older state than with lookups of its own. Data read in a tick had begun to
 * arrive before the tick started, because the kernel reported the readable connections then. A client that saw
 * a newer response or commit before it sent its request therefore saw it before these lookups.
 *
 * Call this only from a request handler: a value read in a timer callback could be older than requests that
 * arrived after it.
 * @returns a function of the current time on the clock of `performance`
 */
export const perTick = (current: CurrentReader) => {
  let isLoaded = false;
  let loadedAt = 0;
  let reader: Reader | undefined;
  let release: (() => void) | undefined;
  const end = (): void => {
    release?.();
    release = reader = undefined;
    isLoaded = false;
  };
  return (now: number): Reader | undefined => {
    if (isLoaded && now - loadedAt < maxAgeMs) return reader;
    release?.();
    // Runs before the event loop reads from a connection again.
    if (!isLoaded) setImmediate(end);
    isLoaded = true;
    loadedAt = now;
    reader = current();
    release = reader?.pinCommit?.();
    return reader;
  };
};
