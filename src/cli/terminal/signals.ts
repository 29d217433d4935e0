import { VitrineError } from "../../errors.ts";
import { printError } from "./output.ts";

/** Listens for the signals by which users and systems end a process. @returns removes the listener */
export const onTermination = (listener: (signal: NodeJS.Signals) => void): (() => void) => {
  for (const signal of terminations) process.on(signal, listener);
  return () => {
    for (const signal of terminations) process.off(signal, listener);
  };
};

const terminations = ["SIGINT", "SIGTERM"] as const;

/** Exit code that a shell expects of a process that a signal ended. */
export const exitCodeOf = (signal: NodeJS.Signals): number => (signal === "SIGINT" ? 130 : 143);

export const exitBy = (signal: NodeJS.Signals): never => process.exit(exitCodeOf(signal));

export type Shutdown = ReturnType<typeof listenForShutdown>;

/** @param onSecond called at every further signal, for an exit at once */
export const listenForShutdown = (onSecond: (signal: NodeJS.Signals) => void = exitBy) => {
  const ended = new AbortController();
  let resolveRequest: () => void;
  let fail: (error: Error) => void;
  const requested = new Promise<void>((resolve, reject) => {
    resolveRequest = resolve;
    fail = reject;
  });
  requested.catch(() => undefined);
  const dispose = onTermination((signal) => {
    if (ended.signal.aborted) return onSecond(signal);
    ended.abort();
    resolveRequest();
  });
  return {
    /** Aborts at the first request. */
    signal: ended.signal,
    /** Resolves at the first request; rejects when the request is an error. */
    requested,
    /** Requests the shutdown because of an error, which the command then reports. */
    fail(error: Error): void {
      ended.abort();
      fail(error);
    },
    /** Removes the signal handlers, so that a signal ends the process again. */
    dispose,
  };
};

/** Runs work that a first signal aborts. A second signal ends the process. */
export const runUntilShutdown = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const shutdown = listenForShutdown();
  return work(shutdown.signal).finally(shutdown.dispose);
};

/**
 * Runs work that SIGINT and SIGTERM interrupt: the first signal aborts it, the next one exits.
 * @param run cleans up after itself and throws when its signal aborts; what it still completes counts as done
 * @returns the result of `run`; after an interruption, the exit code that a shell expects
 */
export const interruptible = async <T>(
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T | number> => {
  const ended = new AbortController();
  let by: NodeJS.Signals | undefined;
  const removeListener = onTermination((signal) => {
    if (by) exitBy(signal);
    by = signal;
    ended.abort();
  });
  try {
    return await run(ended.signal);
  } catch (error) {
    if (!by) throw error;
    printError(`vitrine: interrupted${error instanceof VitrineError ? `: ${error.message}` : ""}`);
    return exitCodeOf(by);
  } finally {
    removeListener();
  }
};
