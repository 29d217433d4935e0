import { longestWait } from "./admission-control.ts";
import { takeTurns } from "./fair-queue.ts";

/** Does a piece of work for a client. @param late instead, where it waited too long */
export type OneAtATime = <T>(client: string, work: () => Promise<T>, late: () => T) => Promise<T>;

/**
 * For what holds much memory until it is done: one piece of it at a time, with clients taking turns.
 * @param patience milliseconds that a piece waits at most
 */
export const oneAtATime = (patience = longestWait): OneAtATime => {
  const waiting = takeTurns<() => void>();
  let isWorking = false;
  return async (client, work, late) => {
    const asked = performance.now();
    const hasWaited = isWorking;
    if (hasWaited) await new Promise<void>((resolve) => waiting.add(client, resolve));
    isWorking = true;
    try {
      return hasWaited && performance.now() - asked > patience ? late() : await work();
    } finally {
      const next = waiting.take();
      if (next) next();
      else isWorking = false;
    }
  };
};
