import { setTimeout as delay } from "node:timers/promises";
import { messageOf, VitrineError } from "../errors.ts";
import type { LogIdentity } from "../event-log/log.ts";
import { checkLog, type Divergence } from "./check-log.ts";
import { checkpointOf, type Generation } from "./generation.ts";
import { hasOrder } from "./orders/order.ts";
import { patiently } from "./patiently.ts";
import { pumpChunk } from "./pump.ts";
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
  const apply = { identity, rendering: world.rendering };
  const chunks = world.eventLog.read({ after, follow: true, identity, signal: watch.signal });
  for await (const chunk of chunks) {
    await watch.settled();
    if (watch.signal.aborted) return;
    // At the end of an empty log it called itself live: with events to fold it is not, until they can be read.
    if (world.directory.live() !== generation.store.directory) world.progress.enter("replaying");
    world.progress.received(chunk[0]?.time ?? 0, chunk.at(-1)?.sequence ?? 0);
    await pumpChunk(world, generation, chunk, apply);
    await watch.look();
  }
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

interface Watch {
  /** Ends the reading: the projector stops, an order waits, or the log diverged. */
  readonly signal: AbortSignal;
  /** Compares the log with the checkpoint now. */
  check(): Promise<void>;
  /** Looks at the end of the log, at most every so often. */
  look(): Promise<void>;
  /** Resolves when no comparison is under way: nothing is applied before it ended well. */
  settled(): Promise<void>;
  /** Throws what kept the log from being compared. */
  divergence(): Divergence | undefined;
  /** Resolves when nothing of it will touch the generation any more. */
  stop(): Promise<void>;
}

/** What is watched while the log is read: its end, for the lag, and its history, for the checkpoint's sake. */
const startWatch = async (
  world: ProjectorWorld,
  generation: Generation,
  identity: LogIdentity,
): Promise<Watch> => {
  const { eventLog, progress } = world;
  const ended = new AbortController();
  const isOrdered = () => hasOrder(world.directory.path);
  let found: Divergence | undefined;
  let failure: { readonly error: unknown } | undefined;
  let checking: Promise<void> = Promise.resolve();

  const compare = async (): Promise<void> => {
    if (ended.signal.aborted) return;
    const checkpoint = checkpointOf(generation, identity);
    try {
      const divergence = await patiently(world, () => checkLog(checkpoint, eventLog), isOrdered);
      if (ended.signal.aborted) return;
      // The wait may have ended before the comparison did: nothing is applied then, and it is made again.
      if (!divergence && !isOrdered()) return;
      found = divergence;
    } catch (error) {
      // A log that cannot even be compared any more, such as a journal whose directory was replaced.
      failure = { error };
    }
    ended.abort();
  };
  const check = (): Promise<void> => {
    checking = checking.then(compare);
    return checking;
  };
  const look = async (): Promise<void> => {
    try {
      const { last } = await eventLog.bounds();
      if (ended.signal.aborted) return;
      progress.sawEnd(last);
      settleState(world, generation);
    } catch (error) {
      world.log.debug({ err: error }, "the end of the log cannot be seen");
      progress.lostSight(messageOf(error));
    }
  };
  const looking = setInterval(() => {
    if (isOrdered()) ended.abort();
    void look();
  }, world.lookEvery);
  const comparing = setInterval(() => void check(), world.checkEvery);
  const forget = eventLog.onReconnect(() => void check());
  const end = (): void => ended.abort();
  world.signal.addEventListener("abort", end, { once: true });
  if (world.signal.aborted) end();
  progress.begin(generation.name, checkpointOf(generation, identity));
  progress.enter("replaying");
  await look();
  return {
    signal: ended.signal,
    check,
    look: () => (progress.status().lagEvents === 0 ? look() : Promise.resolve()),
    settled: () => checking,
    divergence() {
      if (failure) throw failure.error;
      return found;
    },
    async stop() {
      ended.abort();
      clearInterval(looking);
      clearInterval(comparing);
      forget();
      world.signal.removeEventListener("abort", end);
      await checking;
    },
  };
};

/** A generation goes live when it first reaches the end of a log that holds something. */
const settleState = (world: ProjectorWorld, generation: Generation): void => {
  const { state, lagEvents, checkpoint } = world.progress.status();
  if (state === "faulted") return;
  if (lagEvents > 0) {
    if (state !== "replaying" && state !== "live") world.progress.enter("replaying");
    return;
  }
  if (checkpoint > 0 && world.directory.live() !== generation.store.directory) {
    world.directory.swap(generation.store.directory);
    world.log.info({ generation: generation.name, checkpoint }, "the generation is live");
  }
  world.progress.enter("live");
};
