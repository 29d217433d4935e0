import { setTimeout as delay } from "node:timers/promises";
import { VitrineError } from "../errors.ts";
import type { ProjectorWorld } from "./world.ts";

/** Longest wait between two tries, in milliseconds. */
const longestPause = 5_000;

/** Asks the log until it answers: a log that is away is waited for. Undefined when the signal ends the wait. */
export const patiently = async <T>(
  world: ProjectorWorld,
  ask: () => Promise<T>,
): Promise<T | undefined> => {
  for (let pause = 100; !world.signal.aborted; pause = Math.min(pause * 2, longestPause)) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof VitrineError && error.code === "event_log")) throw error;
      world.log.warn({ err: error }, "the event log does not answer; trying again");
      world.progress.lostSight(error.message);
      await delay(pause, undefined, { signal: world.signal }).catch(() => undefined);
    }
  }
  return undefined;
};
