import { tables } from "../read-model/tables.ts";
import { checkpointOf, type Generation, newGeneration } from "./generation.ts";
import { patiently } from "./patiently.ts";
import { pumpChunk } from "./pump.ts";
import type { ProjectorWorld } from "./world.ts";

/** The share of products a rebuild may lose before an operator has to look at it (contract section 2). */
const largestLoss = 0.2;

export type Rebuilt =
  | { readonly ok: true; readonly generation: Generation }
  | { readonly ok: false; readonly reason: string };

/**
 * Replays the whole log into a new generation beside the live one, which goes on answering, then swaps.
 * A rebuild that would lose more than a fifth of the products is given up, and leaves nothing behind.
 * @throws `projection` when a projection fails.
 */
export const rebuild = async (world: ProjectorWorld, former: Generation): Promise<Rebuilt> => {
  const generation = newGeneration(world.directory);
  try {
    const whole = await replay(world, generation);
    const refusal = whole ? lossOf(former, generation) : "it was interrupted";
    if (refusal === undefined) {
      world.directory.swap(generation.store.directory);
      await former.store.close();
      world.directory.sweep();
      return { ok: true, generation };
    }
    await abandon(world, generation, former);
    return { ok: false, reason: refusal };
  } catch (error) {
    await abandon(world, generation, former);
    throw error;
  }
};

/** Nothing is left of the attempt, and the status tells of the generation that goes on answering. */
const abandon = async (
  world: ProjectorWorld,
  generation: Generation,
  former: Generation,
): Promise<void> => {
  await generation.store.close();
  world.directory.sweep();
  const known = former.store.get(tables.meta, "checkpoint");
  if (known) world.progress.begin(former.name, known);
};

/** Reads until the end of the log stands still for a moment; false when the signal came first. */
const replay = async (world: ProjectorWorld, generation: Generation): Promise<boolean> => {
  for (;;) {
    const seen = await patiently(world, async () => ({
      identity: await world.eventLog.identity(),
      bounds: await world.eventLog.bounds(),
    }));
    if (!seen || world.signal.aborted) return false;
    const { identity, bounds } = seen;
    const after = checkpointOf(generation, identity).sequence || Math.max(0, bounds.first - 1);
    world.progress.begin(generation.name, checkpointOf(generation, identity));
    world.progress.sawEnd(bounds.last);
    let read = 0;
    const { signal } = world;
    for await (const chunk of world.eventLog.read({ after, follow: false, identity, signal })) {
      read += chunk.length;
      await pumpChunk(world, generation, chunk, { identity, rendering: world.rendering });
    }
    if (signal.aborted) return false;
    if (read === 0) return true;
  }
};

const lossOf = (former: Generation, next: Generation): string | undefined => {
  const [before, after] = [former, next].map(
    ({ store }) => store.get(tables.counters, "products") ?? 0,
  ) as [number, number];
  return after < before * (1 - largestLoss)
    ? `a rebuild would leave ${after} of ${before} products`
    : undefined;
};
