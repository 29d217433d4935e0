import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../../log.ts";
import { type ExitReason, formatExit, toExitReason } from "../../platform/exit-reason.ts";
import { writeStderr } from "../../platform/stderr.ts";

const backoffMs = { first: 250, max: 10_000, healthyAfter: 10_000 };

export interface SupervisedProcess {
  /** Sends SIGTERM, then SIGKILL after `timeoutMs`. Resolves when the process has ended for good. */
  stop(timeoutMs: number): Promise<void>;
  /** Sends SIGKILL and does not restart the process. */
  kill(): void;
  /** Sends SIGKILL and lets the process restart. */
  restart(): void;
}

/**
 * Starts a process and restarts it after each exit, without limit and with growing waits.
 * @param start forks the process and attaches its listeners
 * @param onExit called after an exit that was not requested, before the wait
 * @param turn awaited before the first start; its signal aborts when the process need not start
 */
export const supervise = (
  name: string,
  start: () => ChildProcess,
  onExit: (reason: ExitReason) => void,
  log: Logger,
  turn?: (signal: AbortSignal) => Promise<void>,
): SupervisedProcess => {
  const stopping = new AbortController();
  let current: ChildProcess | undefined;
  const run = async (): Promise<void> => {
    await turn?.(stopping.signal);
    if (stopping.signal.aborted) return;
    for (let waitMs = backoffMs.first; ; waitMs = Math.min(waitMs * 2, backoffMs.max)) {
      const startedAt = performance.now();
      const reason = await waitForExit(() => {
        current = start();
        return current;
      });
      current = undefined;
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt > backoffMs.healthyAfter) waitMs = backoffMs.first;
      onExit(reason);
      log.warn(
        { process: name, how: formatExit(reason), retryInMs: waitMs },
        "a process ended; it is started again",
      );
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
    }
  };
  const ended = run();
  const end = (signal: NodeJS.Signals): void => {
    stopping.abort();
    current?.kill(signal);
  };
  return {
    async stop(timeoutMs) {
      end("SIGTERM");
      const killTimer = setTimeout(() => {
        log.warn({ process: name }, "a process did not end in time; it is killed");
        end("SIGKILL");
      }, timeoutMs);
      await ended;
      clearTimeout(killTimer);
    },
    kill: () => end("SIGKILL"),
    restart: () => void current?.kill("SIGKILL"),
  };
};

/** Starts a process and waits for its exit. Node reports some failed starts by throwing and others by an event. */
const waitForExit = async (start: () => ChildProcess): Promise<ExitReason> => {
  try {
    const child = start();
    const stderrTail = captureStderrTail(child);
    // Waits for `close`, because stderr may still arrive after `exit`.
    const [code, signal] = await once(child, "close");
    return toExitReason(code, signal, stderrTail());
  } catch (error) {
    return { kind: "spawn", error };
  }
};

/** Covers V8's out-of-memory message, which two stack traces follow. */
const maxChars = 16_384;

/**
 * Forwards a process's stderr and keeps its end, which holds the only reason of an abort.
 * @returns reads the kept text; empty when stderr is not piped
 */
const captureStderrTail = ({ stderr }: ChildProcess): (() => string) => {
  let tail = "";
  stderr?.on("data", (chunk: Buffer) => {
    writeStderr(chunk);
    tail = (tail + chunk).slice(-maxChars);
  });
  return () => tail;
};
