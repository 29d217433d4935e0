import { setTimeout as delay } from "node:timers/promises";
import { VitrineError } from "../errors.ts";
import type { ProjectorWorld } from "./world.ts";

/** Longest wait between two tries, in milliseconds. */
const longestPause = 5_000;

/**
 * Asks the log until it answers: a log that is away is waited for. Undefined when something else ends the wait.
 * @param isOver ends it, as the world's signal does
 */
export const patiently = async <T>(
  world: ProjectorWorld,
  ask: () => Promise<T>,
  isOver: () => boolean = () => false,
): Promise<T | undefined> => {
  for (let pause = 100; !world.signal.aborted; pause = Math.min(pause * 2, longestPause)) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof VitrineError && error.code === "event_log")) throw error;
      world.log.warn({ err: error }, "the event log does not answer; trying again");
      world.progress.lostSight(error.message);
      await rest(world, pause, isOver);
      if (isOver()) return undefined;
    }
  }
  return undefined;
};

const rest = async (
  { signal, lookEvery }: ProjectorWorld,
  pause: number,
  isOver: () => boolean,
): Promise<void> => {
  const end = performance.now() + pause;
  for (let left = pause; left > 0 && !signal.aborted && !isOver(); left = end - performance.now()) {
    await delay(Math.min(left, lookEvery), undefined, { signal }).catch(() => undefined);
  }
};
