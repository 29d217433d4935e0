import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../../log.ts";
import { tellsOfWant } from "../../platform/child-probe.ts";
import { lastWordsOf } from "./stderr-tail.ts";

const backoff = { first: 250, longest: 10_000, healthyAfter: 10_000 };

export interface KeptRunning {
  /** Sends SIGTERM, then SIGKILL after `timeoutMs`. Resolves when the process has ended for good. */
  stop(patience: number): Promise<void>;
  /** Sends SIGKILL and does not restart the process. */
  kill(): void;
  /** Sends SIGKILL and lets the process restart. */
  replace(): void;
}

/** Receives the exit reason as text. */
export type Ended = (how: string) => void;

/**
 * Starts a process and restarts it after each exit, without limit and with growing waits.
 * @param start forks the process and attaches its listeners
 * @param onEnd called after an exit that was not requested, before the wait
 */
export const keepRunning = (
  name: string,
  start: () => ChildProcess,
  onEnd: Ended,
  log: Logger,
): KeptRunning => {
  const stopping = new AbortController();
  let current: ChildProcess | undefined;
  const live = async (): Promise<void> => {
    for (let pause = backoff.first; ; pause = Math.min(pause * 2, backoff.longest)) {
      const begun = performance.now();
      const how = await endOf(() => {
        current = start();
        return current;
      });
      current = undefined;
      if (stopping.signal.aborted) return;
      if (performance.now() - begun > backoff.healthyAfter) pause = backoff.first;
      onEnd(how);
      log.warn({ process: name, how, retryInMs: pause }, "a process ended; it is started again");
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
    }
  };
  const gone = live();
  const end = (signal: NodeJS.Signals): void => {
    stopping.abort();
    current?.kill(signal);
  };
  return {
    async stop(patience) {
      end("SIGTERM");
      const late = setTimeout(() => {
        log.warn({ process: name }, "a process did not end in time; it is killed");
        end("SIGKILL");
      }, patience);
      await gone;
      clearTimeout(late);
    },
    kill: () => end("SIGKILL"),
    replace: () => void current?.kill("SIGKILL"),
  };
};

/** Exit reason suffix when stderr shows that V8 ran out of memory. */
export const inWant = "for want of memory";

/** Starts a process and waits for its exit. Node reports some failed starts by throwing and others by an event. */
const endOf = async (start: () => ChildProcess): Promise<string> => {
  try {
    const child = start();
    const words = lastWordsOf(child);
    // Waits for `close`, because stderr may still arrive after `exit`.
    const [code, signal] = await once(child, "close");
    if (!signal) return `exit code ${code}`;
    return `killed by ${signal}${tellsOfWant(words()) ? ` ${inWant}` : ""}`;
  } catch (error) {
    return `it could not be started: ${error}`;
  }
};
