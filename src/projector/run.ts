import { setImmediate as nextTurn } from "node:timers/promises";
import { type ErrorCode, VitrineError } from "../errors.ts";
import { countModel } from "../read-model/reader/model-counts.ts";
import type { Checkpoint } from "../read-model/schema/checkpoint.ts";
import { tables } from "../read-model/schema/tables.ts";
import {
  changed,
  endedOrOrdered,
  endOf,
  lookAtEnd,
  nextLook,
  otherwise,
  readThrough,
} from "./await-recovery.ts";
import type { ProjectorWorld } from "./context.ts";
import { checkLog, type Divergence } from "./continuity.ts";
import { executeOrders } from "./control/execute.ts";
import { hasOrder } from "./control/request.ts";
import { answerInterrupted } from "./control/server.ts";
import { follow } from "./follow.ts";
import { type Generation, newGeneration, resumeGeneration } from "./open-generation.ts";
import { isOutdated, mustBeMadeAnew, outdatedReason } from "./projection-version.ts";
import { addRowsOfModel } from "./rebuild/add-operator-rows.ts";
import { rebuild } from "./rebuild/rebuild.ts";
import { patiently } from "./retry.ts";

/** Milliseconds. */
const every = { reclaim: 30_000, count: 2_000, again: 5_000 };

/**
 * The projector: follows the log into the live generation, and into a new one when the log no longer continues it.
 * Resolves when the signal ends it. A projection that fails stops the applying, not the process: the status says
 * so, and reads go on.
 * @throws `reopen` when another process has to go on
 */
export const runProjector = async (world: ProjectorWorld): Promise<void> => {
  answerInterrupted(world.directory.path);
  let generation = resumeGeneration(world.directory);
  const reclaiming = setInterval(() => reclaim(world, generation), every.reclaim);
  const counting = setInterval(() => count(world, generation), every.count);
  try {
    while (!world.signal.aborted) {
      // Whatever ends a step at once, timers and signals have their turn.
      await nextTurn();
      const ordered = await executeOrders(world, generation);
      const next = ordered === generation ? await step(world, generation) : ordered;
      if (next) generation = next;
    }
  } finally {
    clearInterval(reclaiming);
    clearInterval(counting);
    await generation.store.close();
  }
};

/** A generation that was left a moment ago is closed. */
const reclaim = ({ log, operator }: ProjectorWorld, { store }: Generation): void => {
  try {
    store.reclaimReaders();
    operator.reclaimReaders();
  } catch (error) {
    log.debug({ err: error }, "slots of readers that died cannot be freed");
  }
};

/** What the live generation holds, told now and then; one that is still being filled shows nobody anything. */
const count = (
  { directory, operator, progress, log }: ProjectorWorld,
  { store }: Generation,
): void => {
  try {
    if (directory.live() === store.directory) progress.counted(countModel(store, operator));
  } catch (error) {
    log.debug({ err: error }, "the live generation cannot be counted");
  }
};

/** Follows until something ends it, be it an order; the generation to go on with when that is another one. */
const step = async (
  world: ProjectorWorld,
  generation: Generation,
): Promise<Generation | undefined> => {
  let divergence: Divergence | undefined;
  try {
    // Another version may have written to it without the operator state.
    addRowsOfModel(world.operator, generation.store);
    const written = generation.store.get(tables.meta, "checkpoint");
    if (written) world.progress.begin(generation.name, written);
    const isLive = world.directory.live() === generation.store.directory;
    const outdated = written && outdatedReason(written);
    if (outdated && !isLive) {
      world.log.warn({ reason: outdated }, "the first replay begins again");
      return await beginAnew(world, generation);
    }
    divergence = outdated
      ? await patiently(world, () => mustBeMadeAnew(generation, world.eventLog), isOrderedIn(world))
      : await follow(world, generation);
    return divergence && (await recover(world, generation, divergence));
  } catch (error) {
    if (!(error instanceof VitrineError) || error.code === "reopen") throw error;
    // A log that went away in the middle of a rebuild: what follows waits for it, and begins again.
    if (error.code === "event_log") return beginAgain(world, error);
    stop(world, explained(error));
    if (error.code === "model_damaged") await readThrough(world, generation, every.again);
    else if (passing.has(error.code)) await endedOrOrdered(world, every.again);
    else await otherwise(world, generation, divergence);
    return undefined;
  }
};

/**
 * What may end by itself: a disk without room, a directory that is away, a log that diverges. What else stops the
 * projector stays so.
 */
const passing: ReadonlySet<ErrorCode> = new Set([
  "data_dir",
  "locked",
  "not_writable",
  "disk_full",
  "no_model",
  "comparison_unavailable",
  "divergence",
]);

/** A first replay of other projections, or of another log: nobody is shown it, so nothing of it stays. */
const beginAnew = async (world: ProjectorWorld, former: Generation): Promise<Generation> => {
  const next = newGeneration(world.directory);
  await former.store.close();
  world.directory.sweep(next.store.directory);
  return next;
};

const isOrderedIn = (world: ProjectorWorld) => () => hasOrder(world.directory.path);

const recover = async (
  world: ProjectorWorld,
  generation: Generation,
  divergence: Divergence,
): Promise<Generation | undefined> => {
  // Nothing was read yet: whichever log it is now is followed from its beginning.
  const checkpoint = generation.store.get(tables.meta, "checkpoint");
  if (!checkpoint) {
    await nextLook(world);
    return undefined;
  }
  if (world.directory.live() === undefined && world.onDivergence === "rebuild") {
    world.log.warn({ reason: divergence.reason }, "the first replay begins again");
    return beginAnew(world, generation);
  }
  const refusal = refusalOf(world, divergence);
  if (refusal !== undefined) {
    stop(world, `${divergence.reason}; ${refusal}`);
    await lookAtEnd(world, checkpoint);
    await otherwise(world, generation, divergence);
    return undefined;
  }
  // As it is before: what comes while the rebuild ends may be what it misses.
  const end = await endOf(world);
  world.log.warn({ reason: divergence.reason }, "rebuilding from the log");
  if (isOutdated(generation) && end === checkpoint.sequence) await sayWhole(world, checkpoint);
  world.progress.enter("rebuilding", divergence.reason);
  const rebuilt = await rebuild(world, generation).catch(ifBroken);
  if (rebuilt instanceof VitrineError) return beginAgain(world, rebuilt);
  if (rebuilt.ok) return rebuilt.generation;
  if (world.signal.aborted) return undefined;
  stop(
    world,
    `${divergence.reason}; ${rebuilt.reason}, so it waits: publish what is missing (it tries again within seconds when the log grows or becomes another), or take the log at its word with vitrine rebuild --accept-loss`,
  );
  await changed(world, end, rebuilt.read);
  return undefined;
};

/** What other projections made lacks nothing either, where it was made from this log. */
const sayWhole = async (
  { eventLog, progress }: ProjectorWorld,
  known: Checkpoint,
): Promise<void> => {
  if (await checkLog(known, eventLog)) return;
  progress.sawEnd(known.sequence);
  progress.isWhole();
};

/** The log became another in the middle of the rebuild: which one it is now is for the next look to tell. */
const ifBroken = (error: unknown): VitrineError => {
  if (error instanceof VitrineError && error.code === "divergence") return error;
  throw error;
};

const beginAgain = async (world: ProjectorWorld, error: VitrineError): Promise<undefined> => {
  world.progress.enter("waiting", explained(error));
  await nextLook(world);
};

const explained = ({ message, hint }: VitrineError): string =>
  [message, hint].filter(Boolean).join("; ");

const refusalOf = (world: ProjectorWorld, divergence: Divergence): string | undefined => {
  if (world.onDivergence === "stop") {
    return "start with --on-divergence rebuild to replay the log into a new generation";
  }
  return divergence.whole
    ? undefined
    : "the log no longer holds the whole history, so it cannot be replayed: delete it and have the shop publish its full state into one of the same name";
};

const stop = (world: ProjectorWorld, reason: string): void => {
  // Tried again and again, it is told once.
  if (world.progress.fault() !== reason) world.log.error({ reason }, "nothing more is applied");
  world.progress.enter("faulted", reason);
};
