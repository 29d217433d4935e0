import { setImmediate as nextTurn } from "node:timers/promises";
import { type ErrorCode, VitrineError } from "../errors.ts";
import { readModelCounts } from "../read-model/reader/model-counts.ts";
import type { Checkpoint } from "../read-model/schema/checkpoint.ts";
import { readCheckpoint } from "../read-model/store/read-checkpoint.ts";
import {
  logEnd,
  pollEnd,
  sleepPollInterval,
  untilLogChanges,
  untilRebuildMaySucceed,
  waitForIntegrityCheck,
  waitForRequest,
} from "./await-recovery.ts";
import type { ProjectorContext } from "./context.ts";
import { type Divergence, findDivergence } from "./continuity.ts";
import { serveRequests } from "./control/execute.ts";
import { hasPendingRequest } from "./control/request.ts";
import { failInterruptedRequests } from "./control/server.ts";
import { follow } from "./follow.ts";
import { createGeneration, type Generation, resumeGeneration } from "./open-generation.ts";
import { isOutdated, outdatedDivergence, outdatedReason } from "./projection-version.ts";
import { addOperatorRows } from "./rebuild/add-operator-rows.ts";
import { rebuild } from "./rebuild/rebuild.ts";
import { retryWhileUnavailable } from "./retry.ts";

const intervalsMs = { reclaim: 30_000, count: 2_000, retry: 5_000 };

/**
 * Runs the projector until the signal aborts. The projector applies the log to the live generation, and rebuilds into a new
 * one when the log no longer continues it. A failing projection faults the projector and leaves the process running: the
 * status reports the fault, and readers go on.
 * @throws `reopen` when another process must continue the work
 */
export const runProjector = async (context: ProjectorContext): Promise<void> => {
  failInterruptedRequests(context.directory.path);
  let generation = resumeGeneration(context.directory);
  const reclaiming = setInterval(() => reclaim(context, generation), intervalsMs.reclaim);
  const counting = setInterval(() => count(context, generation), intervalsMs.count);
  try {
    while (!context.signal.aborted) {
      // Yields to timers and signals, because a step may end immediately.
      await nextTurn();
      const requested = await serveRequests(context, generation);
      const next =
        requested === generation ? await followOrRecover(context, generation) : requested;
      if (next) generation = next;
    }
  } finally {
    clearInterval(reclaiming);
    clearInterval(counting);
    await generation.store.close();
  }
};

/** Frees LMDB reader slots of dead processes. It fails when the generation was closed by a swap, which is harmless. */
const reclaim = ({ logger, operator }: ProjectorContext, { store }: Generation): void => {
  try {
    store.reclaimReaders();
    operator.reclaimReaders();
  } catch (error) {
    logger.debug({ err: error }, "slots of readers that died cannot be freed");
  }
};

/** Reports the model counts of the live generation. A generation that is still being filled has no readers. */
const count = (
  { directory, operator, progress, logger }: ProjectorContext,
  { store }: Generation,
): void => {
  try {
    if (directory.live() === store.directory) progress.setCounts(readModelCounts(store, operator));
  } catch (error) {
    logger.debug({ err: error }, "the live generation cannot be counted");
  }
};

/**
 * Follows the log until a divergence, an error or a control request ends it, and recovers from a divergence.
 * @returns undefined when the projector goes on with the same generation
 */
const followOrRecover = async (
  context: ProjectorContext,
  generation: Generation,
): Promise<Generation | undefined> => {
  let divergence: Divergence | undefined;
  try {
    // Another version may have written revocations and discards to the generation only.
    addOperatorRows(context.operator, generation.store);
    const written = readCheckpoint(generation.store);
    if (written) context.progress.setGeneration(generation.name, written);
    const isLive = context.directory.live() === generation.store.directory;
    const outdated = written && outdatedReason(written);
    if (outdated && !isLive) {
      context.logger.warn({ reason: outdated }, "the first replay begins again");
      return await restartFirstReplay(context, generation);
    }
    divergence = outdated
      ? await retryWhileUnavailable(
          context,
          () => outdatedDivergence(generation, context.eventLog),
          hasRequestIn(context),
        )
      : await follow(context, generation);
    return divergence && (await recover(context, generation, divergence));
  } catch (error) {
    if (!(error instanceof VitrineError) || error.code === "reopen") throw error;
    // The log became unavailable during a rebuild. The next step waits for the log and starts the rebuild again.
    if (error.code === "event_log") return toWaiting(context, error);
    toFaulted(context, formatError(error));
    if (error.code === "model_damaged")
      await waitForIntegrityCheck(context, generation, intervalsMs.retry);
    else if (retryableCodes.has(error.code)) await waitForRequest(context, intervalsMs.retry);
    else await untilLogChanges(context, generation, divergence);
    return undefined;
  }
};

/**
 * Lists the errors that may pass without a change of the log, such as a full disk, a missing directory or a diverged log. After
 * any other error the projector waits for a change of the log.
 */
const retryableCodes: ReadonlySet<ErrorCode> = new Set([
  "data_dir",
  "locked",
  "not_writable",
  "disk_full",
  "no_model",
  "comparison_unavailable",
  "divergence",
]);

/** Replaces an unfinished first replay of other projections or of another log. Readers never saw it, so it is deleted. */
const restartFirstReplay = async (
  context: ProjectorContext,
  previous: Generation,
): Promise<Generation> => {
  const next = createGeneration(context.directory);
  await previous.store.close();
  context.directory.sweep(next.store.directory);
  return next;
};

const hasRequestIn = (context: ProjectorContext) => () => hasPendingRequest(context.directory.path);

/**
 * Recovers from a divergence: rebuilds into a new generation, or faults and waits for a change of the log.
 * @returns undefined when the projector goes on with the same generation
 */
const recover = async (
  context: ProjectorContext,
  generation: Generation,
  divergence: Divergence,
): Promise<Generation | undefined> => {
  // Nothing was applied yet, so the projector follows the current log from its beginning.
  const checkpoint = readCheckpoint(generation.store);
  if (!checkpoint) {
    await sleepPollInterval(context);
    return undefined;
  }
  if (context.directory.live() === undefined && context.onDivergence === "rebuild") {
    context.logger.warn({ reason: divergence.reason }, "the first replay begins again");
    return restartFirstReplay(context, generation);
  }
  const obstacle = rebuildObstacle(context, divergence);
  if (obstacle !== undefined) {
    toFaulted(context, `${divergence.reason}; ${obstacle}`);
    await pollEnd(context, checkpoint);
    await untilLogChanges(context, generation, divergence);
    return undefined;
  }
  // Read before the rebuild, because events that arrive during it may be the ones it misses.
  const end = await logEnd(context);
  context.logger.warn({ reason: divergence.reason }, "rebuilding from the log");
  if (isOutdated(generation) && end === checkpoint.sequence)
    await markCaughtUp(context, checkpoint);
  context.progress.setState("rebuilding", divergence.reason);
  const result = await rebuild(context, generation).catch(returnDivergence);
  if (result instanceof VitrineError) return toWaiting(context, result);
  if (result.ok) return result.generation;
  if (context.signal.aborted) return undefined;
  toFaulted(
    context,
    `${divergence.reason}; ${result.reason}, so it waits: publish what is missing (it tries again within seconds when the log grows or becomes another), or take the log at its word with vitrine rebuild --accept-loss`,
  );
  await untilRebuildMaySucceed(context, end, result.read);
  return undefined;
};

/** Marks an outdated generation as caught up when it has applied all of this log. */
const markCaughtUp = async (
  { eventLog, progress }: ProjectorContext,
  checkpoint: Checkpoint,
): Promise<void> => {
  if (await findDivergence(checkpoint, eventLog)) return;
  progress.logEndSeen(checkpoint.sequence);
  progress.caughtUp();
};

/** Returns a divergence that occurred during the rebuild. The next step compares the log again. */
const returnDivergence = (error: unknown): VitrineError => {
  if (error instanceof VitrineError && error.code === "divergence") return error;
  throw error;
};

const toWaiting = async (context: ProjectorContext, error: VitrineError): Promise<undefined> => {
  context.progress.setState("waiting", formatError(error));
  await sleepPollInterval(context);
};

const formatError = ({ message, hint }: VitrineError): string =>
  [message, hint].filter(Boolean).join("; ");

/** Explains why a divergence is not answered with a rebuild. @returns undefined when a rebuild is possible */
const rebuildObstacle = (context: ProjectorContext, divergence: Divergence): string | undefined => {
  if (context.onDivergence === "stop") {
    return "start with --on-divergence rebuild to replay the log into a new generation";
  }
  return divergence.isLogComplete
    ? undefined
    : "the log no longer holds the whole history, so it cannot be replayed: delete it and have the shop publish its full state into one of the same name";
};

const toFaulted = (context: ProjectorContext, reason: string): void => {
  // Each retry fails with the same reason, which is logged once.
  if (context.progress.currentFault() !== reason)
    context.logger.error({ reason }, "nothing more is applied");
  context.progress.setState("faulted", reason);
};
