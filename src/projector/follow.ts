import { setTimeout as delay } from "node:timers/promises";
import { VitrineError } from "../errors.ts";
import type { LogIdentity, LogRecord } from "../event-log/event-log.ts";
import { openPump, type Pump } from "./batch/batch-writer.ts";
import { commitUpToFault, isOfProjection } from "./batch/commit-up-to-fault.ts";
import type { ProjectorWorld } from "./context.ts";
import type { Divergence } from "./continuity.ts";
import { hasOrder } from "./control/request.ts";
import { startWatch, type Watch } from "./log-monitor.ts";
import { checkpointOf, type Generation } from "./open-generation.ts";
import { readUnbroken } from "./read-continuous.ts";
import { patiently } from "./retry.ts";

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
    await watch.look();
    if (!watch.signal.aborted) await readOrCommitUpToFault(world, generation, identity, watch);
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

/**
 * Reads on; where a projection fails, commits the events before the one that fails, so that reads are as new as can be.
 * @throws as `readOn`
 */
const readOrCommitUpToFault = async (
  world: ProjectorWorld,
  generation: Generation,
  identity: LogIdentity,
  watch: Watch,
): Promise<void> => {
  for (;;) {
    try {
      return await readOn(world, generation, identity, watch);
    } catch (error) {
      if (!isOfProjection(error)) throw error;
      const isFurther = await commitUpToFault(world, generation, identity, watch);
      if (watch.signal.aborted) return;
      if (!isFurther) throw error;
    }
  }
};

const readOn = async (
  world: ProjectorWorld,
  generation: Generation,
  identity: LogIdentity,
  watch: Watch,
): Promise<void> => {
  const { sequence, fingerprints } = checkpointOf(generation, identity);
  const after = await startOf(world, sequence);
  if (after === undefined) return;
  const apply = { identity, rendering: world.rendering };
  // An order, or another history, ends the wait for room: what was folded is read again from the checkpoint.
  const pump = openPump({ ...world, signal: watch.signal }, generation, apply);
  const ended = new AbortController();
  const signal = AbortSignal.any([watch.signal, ended.signal]);
  const options = { after, isFirst: sequence === 0, follow: true, identity, signal };
  const chunks = readUnbroken(world.eventLog, options, fingerprints);
  try {
    for await (const chunk of withPauses(chunks, () => !pump.isSettled())) {
      await watch.settled();
      if (watch.signal.aborted) break;
      if (chunk) await foldOn(world, generation, pump, chunk);
      // What is known to be there is folded into the same batch, while it comes.
      const isMoreToCome = chunk !== undefined && world.progress.status().logLast > endOf(chunk);
      if (isMoreToCome) continue;
      await pump.settle();
      await watch.look();
    }
    await watch.settled();
    if (watch.divergence() === undefined) await pump.settle();
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

/** Longest wait for the next chunk with something folded and not committed, in milliseconds. */
const longestWait = 25;

/** Chunks as they come; nothing, once, in place of one that does not come soon while somebody `isWaiting` for it. */
async function* withPauses<T>(chunks: AsyncIterable<T>, isWaiting: () => boolean) {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next();
      if (isWaiting() && !(await isSoon(next))) yield undefined;
      const { done, value } = await next;
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited: it ends with the chunk that is under way, which may never come.
    iterator.return?.().catch(() => undefined);
  }
}

/** Whether a promise settles before the longest wait is over; its failure is for whoever awaits it next. */
const isSoon = async (promise: Promise<unknown>): Promise<boolean> => {
  const given = new AbortController();
  const settled = promise.then(
    () => true,
    () => true,
  );
  const late = delay(longestWait, false, { signal: given.signal }).catch(() => false);
  const soon = await Promise.race([settled, late]);
  given.abort();
  return soon;
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
