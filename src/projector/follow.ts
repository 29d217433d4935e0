import { setTimeout as delay } from "node:timers/promises";
import { VitrineError } from "../errors.ts";
import type { LogIdentity, LogRecord } from "../event-log/log.ts";
import type { Divergence } from "./check-log.ts";
import { checkpointOf, type Generation } from "./generation.ts";
import { hasOrder } from "./orders/order.ts";
import { patiently } from "./patiently.ts";
import { openPump, type Pump } from "./pump.ts";
import { startWatch, type Watch } from "./watch.ts";
import type { ProjectorWorld } from "./world.ts";

/**
 * Keeps a generation up with the log until the signal ends it, an order waits, or the log stops continuing it.
 * @returns the divergence; undefined when the signal or an order ended it.
 * @throws `projection` when a projection fails.
 */
export const follow = async (
  world: ProjectorWorld,
  generation: Generation,
): Promise<Divergence | undefined> => {
  const { eventLog } = world;
  const isOrdered = () => hasOrder(world.directory.path);
  const identity = await patiently(world, () => eventLog.identity(), isOrdered);
  if (!identity) return undefined;
  const watch = await startWatch(world, generation, identity);
  try {
    await watch.check();
    if (!watch.signal.aborted) await readOn(world, generation, identity, watch);
  } catch (error) {
    if (!(error instanceof VitrineError && error.code === "divergence")) throw error;
    world.log.warn({ err: error }, "the event log broke off");
    await watch.check();
    // The log may have come back to itself between the two looks: read again, but not in a hot loop.
    if (!watch.divergence())
      await delay(1_000, undefined, { signal: watch.signal }).catch(() => {});
  } finally {
    await watch.stop();
  }
  return watch.divergence();
};

const readOn = async (
  world: ProjectorWorld,
  generation: Generation,
  identity: LogIdentity,
  watch: Watch,
): Promise<void> => {
  const after = await startOf(world, checkpointOf(generation, identity).sequence);
  if (after === undefined) return;
  const pump = openPump(world, generation, { identity, rendering: world.rendering });
  const ended = new AbortController();
  const signal = AbortSignal.any([watch.signal, ended.signal]);
  const chunks = world.eventLog.read({ after, follow: true, identity, signal });
  try {
    for await (const chunk of chunks) {
      await watch.settled();
      if (watch.signal.aborted) break;
      await foldOn(world, generation, pump, chunk);
      // Not kept for the next chunk: should the log be rewritten between the two, no comparison could tell.
      await pump.settle();
      await watch.look();
    }
  } finally {
    ended.abort();
  }
};

const endOf = (chunk: readonly LogRecord[]): number => chunk.at(-1)?.sequence ?? 0;

const foldOn = async (
  world: ProjectorWorld,
  generation: Generation,
  pump: Pump,
  chunk: readonly LogRecord[],
): Promise<void> => {
  // At the end of an empty log it called itself live: with events to fold it is not, until they can be read.
  if (world.directory.live() !== generation.store.directory) world.progress.enter("replaying");
  world.progress.received(chunk[0]?.time ?? 0, endOf(chunk));
  await pump.take(chunk);
};

/** Where to begin: a first model is made from whatever the log still holds, and says so when that is not all. */
const startOf = async (world: ProjectorWorld, checkpoint: number): Promise<number | undefined> => {
  if (checkpoint > 0) return checkpoint;
  const isOrdered = () => hasOrder(world.directory.path);
  const bounds = await patiently(world, () => world.eventLog.bounds(), isOrdered);
  if (bounds && bounds.first > 1 && !bounds.whole) {
    world.log.warn({ first: bounds.first }, "the log begins late: what came before is not shown");
  }
  return bounds && Math.max(0, bounds.first - 1);
};
