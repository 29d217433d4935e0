import { VitrineError } from "../errors.ts";
import { sleep } from "../platform/async.ts";
import type { Checkpoint } from "../read-model/schema/checkpoint.ts";
import { readCheckpoint } from "../read-model/store/store.ts";
import { applyLog, pollAtEnd } from "./apply-log.ts";
import type { ProjectorContext } from "./context.ts";
import { type Divergence, findDivergence } from "./continuity/continuity.ts";
import { watchContinuity } from "./continuity/continuity-watch.ts";
import { type Generation, readCheckpointOrInitial } from "./open-generation.ts";
import { outdatedDivergence, outdatedReason } from "./projection-version.ts";
import { updateAtLogEnd } from "./promotion.ts";
import { addOperatorRows } from "./rebuild/replay.ts";
import { retryWhileUnavailable } from "./retry-while-unavailable.ts";
import type { RunContext } from "./run-context.ts";
import type { Outcome, Stage } from "./state.ts";

/**
 * Applies the log to a generation until the signal aborts, the log diverges or the generation is promoted. A generation of other
 * versions of the projections is outdated, and nothing is applied to it.
 * @throws `projection` when a projection fails
 */
export const followGeneration = async (
  context: RunContext,
  generation: Generation,
): Promise<Outcome> => {
  // Another version may have written revocations and discards to the generation only.
  addOperatorRows(context.operator, generation.store);
  const written = readCheckpoint(generation.store);
  if (written) context.progress.setGeneration(generation.name, written);
  const outdated = written && outdatedReason(written);
  const wasLive = isLive(context, generation);
  const divergence =
    written && outdated
      ? await diagnoseOutdated(context, outdated, written)
      : await follow(context, generation);
  if (divergence) return { kind: "diverged", divergence, stage: readStage(context, generation) };
  return wasLive || !isLive(context, generation)
    ? { kind: "retry_due" }
    : { kind: "replayed", generation };
};

const isLive = ({ directory }: ProjectorContext, { store }: Generation): boolean =>
  directory.live() === store.directory;

const readStage = ({ directory }: ProjectorContext, { store }: Generation): Stage => {
  if (readCheckpoint(store) === undefined) return "empty";
  return directory.live() === undefined ? "first_replay" : "live";
};

/** @returns the divergence; undefined when the signal ended it, or the log broke off and is consistent again */
const follow = async (
  context: RunContext,
  generation: Generation,
): Promise<Divergence | undefined> => {
  const { progress, monitor } = context;
  const identity = await retryWhileUnavailable(context, () => monitor.identity());
  if (!identity) return undefined;
  progress.setGeneration(generation.name, readCheckpointOrInitial(generation, identity));
  progress.setState("replaying");
  const watch = watchContinuity(context, generation, identity);
  const unsubscribe = monitor.subscribe(() => updateAtLogEnd(context, generation, watch));
  try {
    await monitor.pollEnd();
    await watch.verify();
    await pollAtEnd(context);
    if (!watch.signal.aborted) await applyLog(context, generation, identity, watch);
  } catch (error) {
    if (!(error instanceof VitrineError && error.code === "divergence")) throw error;
    context.logger.warn(
      { err: error },
      "the event log does not continue the records that were read",
    );
    await watch.verify();
    // The log may be consistent again by now. The delay prevents a hot loop of reads.
    if (!watch.divergence()) await sleep(1_000, watch.signal);
  } finally {
    unsubscribe();
    progress.unblock("promotion");
    await watch.stop();
  }
  return watch.divergence();
};

/**
 * Builds the divergence of an outdated generation, and reports when the generation has applied all of its log: a rebuild then
 * begins without a lag.
 * @returns undefined when the signal aborted before the log answered
 */
const diagnoseOutdated = (
  context: RunContext,
  reason: string,
  written: Checkpoint,
): Promise<Divergence | undefined> =>
  retryWhileUnavailable(context, async () => {
    const { eventLog, monitor, progress } = context;
    const divergence = await outdatedDivergence(reason, eventLog);
    await monitor.pollEnd();
    const isAtEnd = monitor.end() === written.sequence;
    if (isAtEnd && !(await findDivergence(written, eventLog))) progress.caughtUp();
    return divergence;
  });
