import { setTimeout as delay } from "node:timers/promises";
import type { ProjectorWorld } from "../context.ts";
import { resumeGeneration } from "../open-generation.ts";
import { executeOrders } from "./execute.ts";
import { hasOrder } from "./request.ts";

/**
 * Takes orders while the log cannot be opened yet: what needs no log is carried out, and everybody else is told why
 * it cannot be.
 * @param pause for how long, in milliseconds
 */
export const attendOrders = async (world: ProjectorWorld, pause: number): Promise<void> => {
  const { directory, signal, lookEvery } = world;
  const end = performance.now() + pause;
  for (let left = pause; left > 0 && !signal.aborted; left = end - performance.now()) {
    if (hasOrder(directory.path)) await takeOrders(world);
    await delay(Math.min(left, lookEvery), undefined, { signal }).catch(() => undefined);
  }
};

const takeOrders = async (world: ProjectorWorld): Promise<void> => {
  let generation = resumeGeneration(world.directory);
  try {
    generation = await executeOrders(world, generation);
  } finally {
    await generation.store.close();
  }
};
