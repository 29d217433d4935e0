import { VitrineError } from "../../errors.ts";
import { writeComparison } from "../../read-model/compare/comparison-file.ts";
import type { Checkpoint } from "../../read-model/schema/checkpoint.ts";
import { tables } from "../../read-model/schema/tables.ts";
import { readCheckpoint } from "../../read-model/store/store.ts";
import { createRetryingBatchWriter } from "../batch/batch-writer.ts";
import { type Divergence, nextHistory } from "../continuity/continuity.ts";
import { createGeneration, type Generation, readCheckpointOrInitial } from "../open-generation.ts";
import { retryWhileUnavailable } from "../retry-while-unavailable.ts";
import type { RunContext } from "../run-context.ts";
import {
  type BaselineComparison,
  compareAtCheckpoint,
  noComparison,
} from "./compare-at-checkpoint.ts";
import { addOperatorRows, type ReplayLimit, replay, requireCompleteLog } from "./replay.ts";

export type RebuildResult =
  | { readonly ok: true; readonly generation: Generation }
  | {
      readonly ok: false;
      readonly reason: string;
      /** Checkpoint that the rebuild reached; undefined before the first event. */
      readonly read: Checkpoint | undefined;
    };

/**
 * Replays the complete log into a candidate generation while the live one serves readers, stores their comparison, and swaps.
 * A rebuild that would lose more than a fifth of the products is discarded.
 * @param cause why the live generation is replaced
 * @throws `projection` when a projection fails; `divergence` when the log is no longer complete
 */
export const rebuild = async (
  context: RunContext,
  live: Generation,
  cause: Divergence,
): Promise<RebuildResult> => {
  const history = nextHistory(readCheckpoint(live.store), cause);
  const candidate = createGeneration(context.directory, history);
  try {
    const result = await compareWithLive(live, context, candidate);
    const isAtEnd = result !== undefined && (await replayToEnd(context, live, candidate, {}));
    const isComplete = isAtEnd && !context.signal.aborted;
    const obstacle = isComplete ? findExcessiveLoss(live, candidate) : "it was interrupted";
    if (obstacle === undefined) {
      const { directory } = candidate.store;
      if (result?.comparison) {
        writeComparison(directory, result.comparison, live.store.directory, context.now());
      }
      addOperatorRows(context.operator, candidate.store);
      context.directory.swap(directory);
      await live.store.close();
      context.directory.sweep();
      return { ok: true, generation: candidate };
    }
    const read = readCheckpoint(candidate.store);
    await discardCandidate(context, candidate, live);
    return { ok: false, reason: obstacle, read };
  } catch (error) {
    await discardCandidate(context, candidate, live);
    throw error;
  }
};

const compareWithLive = async (
  live: Generation,
  context: RunContext,
  candidate: Generation,
): Promise<BaselineComparison | undefined> => {
  const result = await compareAtCheckpoint(
    {
      eventLog: context.eventLog,
      scratchPath: candidate.store.directory,
      signal: context.signal,
      advanceTo: (limit) => replayToEnd(context, live, candidate, limit),
    },
    live.store.directory,
    candidate,
  ).catch((error: unknown): BaselineComparison => {
    // The comparison is a report for operators. The rebuild does not wait until it is available.
    const isUnavailable = error instanceof VitrineError && error.code === "comparison_unavailable";
    if (!isUnavailable) throw error;
    context.logger.warn({ err: error }, "the live generation is not compared");
    return noComparison;
  });
  if (result?.damage) context.logger.warn({ err: result.damage }, "the live generation is damaged");
  return result;
};

/** Deletes the candidate, and reports the live generation in the status again. */
const discardCandidate = async (
  context: RunContext,
  candidate: Generation,
  live: Generation,
): Promise<void> => {
  await candidate.store.close();
  // Retains the generation explicitly, because no link leads to an unfinished first replay, which the projector continues.
  context.directory.sweep(live.store.directory);
  const checkpoint = readCheckpoint(live.store);
  if (checkpoint) context.progress.setGeneration(live.name, checkpoint);
};

/** How long a rebuild chases a growing log before it swaps. The follower reads the rest. */
const maxChaseMs = 5_000;

/** Time without a new product after which the shop is assumed to have published all its products. */
const maxQuietMs = 60_000;

/** Number of events in one replay below which the log end is near. */
const nearEndThreshold = 2_000;

/**
 * Replays to the limit, or until a replay finds no more events. A growing log is chased for `maxChaseMs`, and longer while the
 * shop may still be publishing its products again.
 * @returns false when the signal aborted first
 */
const replayToEnd = async (
  context: RunContext,
  live: Generation,
  candidate: Generation,
  limit: ReplayLimit,
): Promise<boolean> => {
  const isChasedEnough = trackChase(live, candidate);
  for (;;) {
    const eventCount = await retryWhileUnavailable(context, () =>
      readOnce(context, candidate, limit),
    );
    if (eventCount === undefined || context.signal.aborted) return false;
    if (eventCount === 0) return true;
    if (limit.sequence === undefined && isChasedEnough(eventCount)) return true;
  }
};

/** Creates a function that receives the number of events of each replay, and decides whether the chase of the log may end. */
const trackChase = (live: Generation, candidate: Generation): ((eventCount: number) => boolean) => {
  let nearSince = Number.POSITIVE_INFINITY;
  let lastGrowth = { products: 0, at: performance.now() };
  return (eventCount) => {
    if (eventCount >= nearEndThreshold) return false;
    const now = performance.now();
    const products = countProducts(candidate);
    if (products > lastGrowth.products) lastGrowth = { products, at: now };
    nearSince = Math.min(nearSince, now);
    const isPublished =
      now - lastGrowth.at > maxQuietMs || findExcessiveLoss(live, candidate) === undefined;
    return isPublished && now - nearSince > maxChaseMs;
  };
};

/** Replays the log once, and reports its end. @returns the number of events read */
const readOnce = async (
  context: RunContext,
  generation: Generation,
  limit: ReplayLimit,
): Promise<number> => {
  const { monitor, progress } = context;
  progress.setGeneration(
    generation.name,
    readCheckpointOrInitial(generation, await monitor.identity()),
  );
  // Requires a complete log before the first event, because the log may have been trimmed while it was unavailable.
  if (readCheckpoint(generation.store) === undefined) await requireCompleteLog(context);
  await monitor.pollEnd();
  return replay(context, generation, limit, (identity) =>
    createRetryingBatchWriter(context, generation, identity),
  );
};

const countProducts = ({ store }: Generation): number =>
  store.get(tables.counters, "products") ?? 0;

const findExcessiveLoss = (live: Generation, candidate: Generation): string | undefined =>
  excessiveLoss(countProducts(live), countProducts(candidate));

/** Contract §2: maximum share of products that a rebuild may lose without an operator's consent. */
const maxLossShare = 0.2;

/** Describes an excessive loss of visible products. @returns undefined when the loss is acceptable */
export const excessiveLoss = (before: number, after: number): string | undefined =>
  after < before * (1 - maxLossShare)
    ? `a rebuild would leave ${after} of ${before} products`
    : undefined;
