import { setTimeout as delay } from "node:timers/promises";
import { VitrineError } from "../errors.ts";
import type { ProjectorWorld } from "./context.ts";

/** Shortest and longest wait between two tries, in milliseconds. */
const pauses = { first: 100, longest: 5_000 };

/**
 * Asks the log until it answers: a log that is away is waited for, and asked at once when its connection is back.
 * Undefined when something else ends the wait.
 * @param isOver ends it, as the world's signal does
 */
export const patiently = async <T>(
  world: ProjectorWorld,
  ask: () => Promise<T>,
  isOver: () => boolean = () => false,
): Promise<T | undefined> => {
  for (let pause = pauses.first; !world.signal.aborted; ) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof VitrineError && error.code === "event_log")) throw error;
      world.log.warn({ err: error }, "the event log does not answer; trying again");
      world.progress.lostSight(error.message);
      const isBack = await rest(world, pause, isOver);
      if (isOver()) return undefined;
      // A broker that has just come back may need a moment before it answers.
      pause = isBack ? pauses.first : Math.min(pause * 2, pauses.longest);
    }
  }
  return undefined;
};

/** @returns whether the log's connection came back meanwhile: nobody waits on then */
const rest = async (
  { signal, lookEvery, eventLog }: ProjectorWorld,
  pause: number,
  isOver: () => boolean,
): Promise<boolean> => {
  let isBack = false;
  const ended = new AbortController();
  const stop = (): void => ended.abort();
  signal.addEventListener("abort", stop);
  const forget = eventLog.onReconnect(() => {
    isBack = true;
    stop();
  });
  const waits = { signal: ended.signal };
  const end = performance.now() + pause;
  for (let left = pause; left > 0 && !waits.signal.aborted; left = end - performance.now()) {
    if (signal.aborted || isOver()) break;
    await delay(Math.min(left, lookEvery), undefined, waits).catch(() => undefined);
  }
  signal.removeEventListener("abort", stop);
  forget();
  return isBack;
};
