/** Asks for an end: by SIGTERM or SIGINT, or from inside. */
export interface Ending {
  /** Aborts at the first asking. */
  readonly signal: AbortSignal;
  /** Resolves at the first asking; rejects when it came with an error. */
  readonly asked: Promise<void>;
  /** Ends because of an error, which is then what the command ends with. */
  fail(error: Error): void;
  /** Gives the signals back to node, for which each is the end. */
  forget(): void;
}

/** @param onSecond called at every further signal: somebody is in a hurry. */
export const onSignals = (onSecond: (signal: NodeJS.Signals) => void): Ending => {
  const ended = new AbortController();
  let ask: () => void;
  let fail: (error: Error) => void;
  const asked = new Promise<void>((resolve, reject) => {
    ask = resolve;
    fail = reject;
  });
  asked.catch(() => undefined);
  const hear = (signal: NodeJS.Signals): void => {
    if (ended.signal.aborted) return onSecond(signal);
    ended.abort();
    ask();
  };
  process.on("SIGTERM", hear);
  process.on("SIGINT", hear);
  return {
    signal: ended.signal,
    asked,
    fail(error) {
      ended.abort();
      fail(error);
    },
    forget() {
      process.off("SIGTERM", hear);
      process.off("SIGINT", hear);
    },
  };
};

/** What a shell expects of a process that a signal ended. */
export const exitCodeOf = (signal: NodeJS.Signals): number => (signal === "SIGINT" ? 130 : 143);
