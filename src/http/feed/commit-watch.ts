import type { EventEmitter } from "node:events";
import type { Position } from "../../read-model/reader/feed/position.ts";
import type { CurrentReader } from "../../read-model/reader/reader.ts";

/** Milliseconds between two looks at the newest commit, of all requests that wait. */
const intervalMs = 20;

/** Lets requests wait for a commit of the live generation. */
export interface CommitWatch {
  /**
   * Waits until a test holds, at most `maxMs`. The caller must leave the tick of its exchange afterwards.
   * @param isReached runs for each waiting request every 20 ms, with the position of the newest commit; must not throw. The
   *   position is undefined, too, when the model cannot be read
   * @param response ends the wait when it closes
   * @returns false when the time is over or the client has disconnected
   */
  wait(isReached: IsReached, maxMs: number, response: EventEmitter): Promise<boolean>;
}

type IsReached = (position: Position | undefined) => boolean;

interface Waiter {
  readonly isReached: IsReached;
  /** On the clock of `performance`. */
  readonly endsAt: number;
  readonly end: (isReached: boolean) => void;
}

/** Creates the watch of a process. Its only timer runs while a request waits, and keeps no process alive. */
export const createCommitWatch = (current: CurrentReader): CommitWatch => {
  const waiters = new Set<Waiter>();
  let timer: NodeJS.Timeout | undefined;
  const stop = (waiter: Waiter): void => {
    waiters.delete(waiter);
    if (waiters.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const check = (): void => {
    const position = readPosition(current);
    const now = performance.now();
    for (const { isReached, endsAt, end } of waiters) {
      if (isReached(position)) end(true);
      else if (now >= endsAt) end(false);
    }
  };
  return {
    wait: (isReached, maxMs, response) =>
      new Promise((resolve) => {
        const close = (): void => waiter.end(false);
        const end = (reached: boolean): void => {
          stop(waiter);
          response.off("close", close);
          resolve(reached);
        };
        const waiter: Waiter = { isReached, endsAt: performance.now() + maxMs, end };
        waiters.add(waiter);
        timer ??= setInterval(check, intervalMs).unref();
        response.once("close", close);
      }),
  };
};

/** Reads the position of the newest commit, also of another generation after a swap. */
const readPosition = (current: CurrentReader): Position | undefined => {
  try {
    return current()?.position();
  } catch {
    // A request that no longer waits meets the same error, and reports it.
    return undefined;
  }
};
