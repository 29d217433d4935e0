import { VitrineError } from "../../errors.ts";
import { printError } from "./output.ts";
import { exitCodeOf } from "./signals.ts";

/**
 * Runs work that SIGINT and SIGTERM interrupt: the first signal aborts it, the next one exits.
 * @param run cleans up after itself and throws when its signal aborts; what it still completes counts as done
 * @returns the exit code of `run`; after an interruption, the one that a shell expects
 */
export const interruptible = async (
  run: (signal: AbortSignal) => Promise<number>,
): Promise<number> => {
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
