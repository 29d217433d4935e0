export type Shutdown = ReturnType<typeof listenForShutdown>;

/** @param onSecond called at every further signal, for an exit at once */
export const listenForShutdown = (onSecond: (signal: NodeJS.Signals) => void) => {
  const ended = new AbortController();
  let resolveRequest: () => void;
  let fail: (error: Error) => void;
  const requested = new Promise<void>((resolve, reject) => {
    resolveRequest = resolve;
    fail = reject;
  });
  requested.catch(() => undefined);
  const onSignal = (signal: NodeJS.Signals): void => {
    if (ended.signal.aborted) {
      onSecond(signal);
      return;
    }
    ended.abort();
    resolveRequest();
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
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
    dispose(): void {
      process.off("SIGTERM", onSignal);
      process.off("SIGINT", onSignal);
    },
  };
};

/** Runs work that a first signal aborts. A second signal ends the process. */
export const runUntilShutdown = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const shutdown = listenForShutdown((signal) => process.exit(exitCodeOf(signal)));
  return work(shutdown.signal).finally(shutdown.dispose);
};

/** Exit code that a shell expects of a process that a signal ended. */
export const exitCodeOf = (signal: NodeJS.Signals): number => (signal === "SIGINT" ? 130 : 143);
