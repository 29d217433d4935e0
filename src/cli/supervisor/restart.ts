import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../../log.ts";
import { tellsOfWant } from "../../platform/child-probe.ts";
import { lastWordsOf } from "./stderr-tail.ts";

/** Milliseconds. */
const backoff = { first: 250, longest: 10_000, healthyAfter: 10_000 };

export interface KeptRunning {
  /** SIGTERM, then SIGKILL after `patience` milliseconds. Resolves when the process is gone for good. */
  stop(patience: number): Promise<void>;
  /** SIGKILL, and no other start. */
  kill(): void;
  /** SIGKILL, and another start. */
  replace(): void;
}

/** How a process came to its end, in words. */
export type Ended = (how: string) => void;

/**
 * Starts a process, and again each time it ends, with growing pauses: it is never given up, and never a hot loop.
 * @param start forks the process; listeners are its own business.
 * @param onEnd called when it ended unasked, before the pause.
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

/** What is said of a process that was killed and had said itself that it was short of memory. */
export const inWant = "for want of memory";

/** Node tells some of what keeps a process from being started at once, and some later. */
const endOf = async (start: () => ChildProcess): Promise<string> => {
  try {
    const child = start();
    const words = lastWordsOf(child);
    // Not `exit`, behind which there may be words to come.
    const [code, signal] = await once(child, "close");
    if (!signal) return `exit code ${code}`;
    return `killed by ${signal}${tellsOfWant(words()) ? ` ${inWant}` : ""}`;
  } catch (error) {
    return `it could not be started: ${error}`;
  }
};
