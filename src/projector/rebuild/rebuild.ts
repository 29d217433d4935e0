import { VitrineError } from "../../errors.ts";
import { keepComparison } from "../../read-model/compare/comparison-file.ts";
import type { Checkpoint } from "../../read-model/schema/checkpoint.ts";
import { tables } from "../../read-model/schema/tables.ts";
import { openPump } from "../batch/batch-writer.ts";
import type { ProjectorWorld } from "../context.ts";
import { checkpointOf, type Generation, newGeneration } from "../open-generation.ts";
import { patiently } from "../retry.ts";
import { addRowsOfModel } from "./add-operator-rows.ts";
import { compareLive, type Found } from "./compare-at-checkpoint.ts";
import { lossOf } from "./excessive-loss.ts";
import { type Limit, replay, wholeBounds } from "./replay.ts";

export type Rebuilt =
  | { readonly ok: true; readonly generation: Generation }
  | {
      readonly ok: false;
      readonly reason: string;
      /** What of the log had been read; undefined before the first event. */
      readonly read: Checkpoint | undefined;
    };

/**
 * The projector's own rebuild: replays the whole log into a new generation beside the live one, which goes on
 * answering, keeps what the two differ in, then swaps.
 * A rebuild that would lose more than a fifth of the products is given up, and leaves nothing behind.
 * @throws `projection` when a projection fails; `divergence` when the log does not hold its whole history any more
 */
export const rebuild = async (world: ProjectorWorld, former: Generation): Promise<Rebuilt> => {
  const generation = newGeneration(world.directory);
  try {
    const found = await compareWith(former, world, generation);
    const isWhole = found !== undefined && (await replayToEnd(world, former, generation, {}));
    const isDone = isWhole && !world.signal.aborted;
    const refusal = isDone ? lossBetween(former, generation) : "it was interrupted";
    if (refusal === undefined) {
      const { directory } = generation.store;
      if (found?.comparison) {
        keepComparison(directory, found.comparison, former.store.directory, world.now());
      }
      addRowsOfModel(world.operator, generation.store);
      world.directory.swap(directory);
      await former.store.close();
      world.directory.sweep();
      return { ok: true, generation };
    }
    const read = generation.store.get(tables.meta, "checkpoint");
    await abandon(world, generation, former);
    return { ok: false, reason: refusal, read };
  } catch (error) {
    await abandon(world, generation, former);
    throw error;
  }
};

const compareWith = async (
  former: Generation,
  world: ProjectorWorld,
  generation: Generation,
): Promise<Found | undefined> => {
  const found = await compareLive(
    {
      eventLog: world.eventLog,
      place: generation.store.directory,
      signal: world.signal,
      bringOn: (limit) => replayToEnd(world, former, generation, limit),
    },
    former.store.directory,
    generation,
  ).catch((error: unknown): Found => {
    // What the two differ in is for people to read: nobody need wait for the model until a machine can tell.
    if (!isComparisonUnavailable(error)) throw error;
    world.log.warn({ err: error }, "the former generation is not compared");
    return { comparison: undefined, damage: undefined, former: undefined, isContinued: true };
  });
  if (found?.damage) world.log.warn({ err: found.damage }, "the former generation is damaged");
  return found;
};

const isComparisonUnavailable = (error: unknown): boolean =>
  error instanceof VitrineError && error.code === "comparison_unavailable";

/** Nothing is left of the attempt, and the status tells of the generation that goes on answering. */
const abandon = async (
  world: ProjectorWorld,
  generation: Generation,
  former: Generation,
): Promise<void> => {
  await generation.store.close();
  // A first replay that is not whole yet is nobody's link, and goes on nevertheless.
  world.directory.sweep(former.store.directory);
  const known = former.store.get(tables.meta, "checkpoint");
  if (known) world.progress.begin(former.name, known);
};

/** Milliseconds for which the end of a log that goes on growing is run after: what comes then is followed as ever. */
const longestChase = 5_000;

/** Milliseconds without a new product after which nobody is telling them again. */
const longestSilence = 60_000;

/** Events that came while those before them were read: the end is near. */
const nearEnd = 2_000;

/**
 * Reads until the limit, or until the end of the log stands still for a moment. One that does not is waited for while
 * it may be a shop that still tells its products again, and a few seconds otherwise; false when the signal came first.
 */
const replayToEnd = async (
  world: ProjectorWorld,
  former: Generation,
  generation: Generation,
  limit: Limit,
): Promise<boolean> => {
  let nearSince = Number.POSITIVE_INFINITY;
  let grown = { products: 0, at: performance.now() };
  for (;;) {
    const read = await patiently(world, () => readOnce(world, generation, limit));
    if (read === undefined || world.signal.aborted) return false;
    if (read === 0) return true;
    if (limit.sequence === undefined && read < nearEnd) {
      const now = performance.now();
      const products = productsIn(generation);
      if (products > grown.products) grown = { products, at: now };
      nearSince = Math.min(nearSince, now);
      const isTold =
        now - grown.at > longestSilence || lossBetween(former, generation) === undefined;
      if (isTold && now - nearSince > longestChase) return true;
    }
  }
};

/** @returns how many events there were to read */
const readOnce = async (
  world: ProjectorWorld,
  generation: Generation,
  limit: Limit,
): Promise<number> => {
  const { eventLog, progress } = world;
  progress.begin(generation.name, checkpointOf(generation, await eventLog.identity()));
  // The log may have been away since the last try, and have come back without its beginning.
  const isBegun = generation.store.get(tables.meta, "checkpoint") !== undefined;
  const { last } = await (isBegun ? eventLog.bounds() : wholeBounds(world));
  progress.sawEnd(last);
  return replay(world, generation, limit, (apply) => openPump(world, generation, apply));
};

const lossBetween = (former: Generation, next: Generation): string | undefined => {
  return lossOf(productsIn(former), productsIn(next));
};

const productsIn = ({ store }: Generation): number => store.get(tables.counters, "products") ?? 0;
