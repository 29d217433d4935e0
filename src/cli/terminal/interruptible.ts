import { VitrineError } from "../../errors.ts";
import { printError } from "./output.ts";
import { exitCodeOf } from "./signals.ts";

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
  const onSignal = (signal: NodeJS.Signals): void => {
    if (by) process.exit(exitCodeOf(signal));
    by = signal;
    ended.abort();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  try {
    return await run(ended.signal);
  } catch (error) {
    if (!by) throw error;
    printError(`vitrine: interrupted${error instanceof VitrineError ? `: ${error.message}` : ""}`);
    return exitCodeOf(by);
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
};
