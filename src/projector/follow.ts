import { setTimeout as delay } from "node:timers/promises";
import { VitrineError } from "../errors.ts";
import type { LogIdentity, LogRecord } from "../event-log/event-log.ts";
import type { Checkpoint } from "../read-model/schema/checkpoint.ts";
import { readCheckpoint } from "../read-model/store/read-checkpoint.ts";
import { type BatchWriter, createRetryingBatchWriter } from "./batch/batch-writer.ts";
import { commitUpToFault, isProjectionError } from "./batch/commit-up-to-fault.ts";
import type { ProjectorContext } from "./context.ts";
import { type Divergence, findDivergence } from "./continuity.ts";
import { hasPendingRequest } from "./control/request.ts";
import { type LogMonitor, startLogMonitor } from "./log-monitor.ts";
import { type Generation, readCheckpointOrInitial } from "./open-generation.ts";
import { isOutdated, outdatedDivergence } from "./projection-version.ts";
import { readContinuous } from "./read-continuous.ts";
import { addOperatorRows } from "./rebuild/add-operator-rows.ts";
import { retryWhileUnavailable } from "./retry.ts";
import type { Outcome, Stage } from "./state.ts";

/**
 * Applies the log to a generation until the signal aborts, a control request is pending or the log diverges. A generation of
 * other versions of the projections is outdated, and nothing is applied to it.
 * @throws `projection` when a projection fails
 */
export const followGeneration = async (
  context: ProjectorContext,
  generation: Generation,
): Promise<Outcome> => {
  // Another version may have written revocations and discards to the generation only.
  addOperatorRows(context.operator, generation.store);
  const written = readCheckpoint(generation.store);
  if (written) context.progress.setGeneration(generation.name, written);
  const divergence =
    written && isOutdated(generation)
      ? await diagnoseOutdated(context, generation, written)
      : await follow(context, generation);
  if (divergence) return { kind: "diverged", divergence, stage: readStage(context, generation) };
  if (context.signal.aborted) return { kind: "stopped" };
  return { kind: hasPendingRequest(context.directory.path) ? "request_pending" : "retry_due" };
};

const readStage = ({ directory }: ProjectorContext, { store }: Generation): Stage => {
  if (readCheckpoint(store) === undefined) return "empty";
  return directory.live() === undefined ? "first_replay" : "live";
};

/** Builds the divergence of an outdated generation, and reports when the generation has applied all of this log. */
const diagnoseOutdated = async (
  context: ProjectorContext,
  generation: Generation,
  written: Checkpoint,
): Promise<Divergence | undefined> => {
  const { eventLog, progress } = context;
  const hasRequest = () => hasPendingRequest(context.directory.path);
  return retryWhileUnavailable(
    context,
    async () => {
      const { last } = await eventLog.bounds();
      if (last === written.sequence && !(await findDivergence(written, eventLog))) {
        progress.logEndSeen(last);
        progress.caughtUp();
      }
      return outdatedDivergence(generation, eventLog);
    },
    hasRequest,
  );
};

/** @returns the divergence; undefined when the signal or a control request ended it */
const follow = async (
  context: ProjectorContext,
  generation: Generation,
): Promise<Divergence | undefined> => {
  const { eventLog } = context;
  const hasRequest = () => hasPendingRequest(context.directory.path);
  const identity = await retryWhileUnavailable(context, () => eventLog.identity(), hasRequest);
  if (!identity) return undefined;
  const monitor = await startLogMonitor(context, generation, identity);
  try {
    await monitor.verifyContinuity();
    await monitor.pollEnd();
    if (!monitor.signal.aborted)
      await readOrCommitUpToFault(context, generation, identity, monitor);
  } catch (error) {
    if (!(error instanceof VitrineError && error.code === "divergence")) throw error;
    context.logger.warn({ err: error }, "the event log broke off");
    await monitor.verifyContinuity();
    // The log may be consistent again by now. The delay prevents a hot loop of reads.
    if (!monitor.divergence())
      await delay(1_000, undefined, { signal: monitor.signal }).catch(() => {});
  } finally {
    await monitor.stop();
  }
  return monitor.divergence();
};

/**
 * Reads and applies the log. When a projection fails, it commits the events before the failed one, so that the model is as
 * current as possible.
 * @throws `projection` when a projection fails at the first event after the checkpoint
 */
const readOrCommitUpToFault = async (
  context: ProjectorContext,
  generation: Generation,
  identity: LogIdentity,
  monitor: LogMonitor,
): Promise<void> => {
  for (;;) {
    try {
      return await readOn(context, generation, identity, monitor);
    } catch (error) {
      if (!isProjectionError(error)) throw error;
      const hasAdvanced = await commitUpToFault(context, generation, identity, monitor);
      if (monitor.signal.aborted) return;
      if (!hasAdvanced) throw error;
    }
  }
};

const readOn = async (
  context: ProjectorContext,
  generation: Generation,
  identity: LogIdentity,
  monitor: LogMonitor,
): Promise<void> => {
  const { sequence, fingerprints } = readCheckpointOrInitial(generation, identity);
  const after = await resolveStart(context, sequence);
  if (after === undefined) return;
  const batchContext = { identity, rendering: context.rendering };
  // A control request or a divergence ends the retries of a commit. The next read starts at the checkpoint again.
  const writer = createRetryingBatchWriter(
    { ...context, signal: monitor.signal },
    generation,
    batchContext,
  );
  const ended = new AbortController();
  const signal = AbortSignal.any([monitor.signal, ended.signal]);
  const options = { after, allowLateStart: sequence === 0, follow: true, identity, signal };
  const chunks = readContinuous(context.eventLog, options, fingerprints);
  try {
    for await (const chunk of withTimeouts(chunks, () => !writer.isEmpty())) {
      await monitor.whenIdle();
      if (monitor.signal.aborted) break;
      if (chunk) await applyChunk(context, generation, writer, chunk);
      // Records that the log is known to hold join the same batch.
      const isMoreExpected =
        chunk !== undefined && context.progress.status().logLast > lastSequence(chunk);
      if (isMoreExpected) continue;
      await writer.flush();
      await monitor.pollEnd();
    }
    await monitor.whenIdle();
    if (monitor.divergence() === undefined) await writer.flush();
  } finally {
    ended.abort();
  }
};

const lastSequence = (chunk: readonly LogRecord[]): number => chunk.at(-1)?.sequence ?? 0;

const applyChunk = async (
  context: ProjectorContext,
  generation: Generation,
  writer: BatchWriter,
  chunk: readonly LogRecord[],
): Promise<void> => {
  // At the end of an empty log the status was `live`. With events to apply, it is not until they are readable.
  if (context.directory.live() !== generation.store.directory)
    context.progress.setState("replaying");
  context.progress.received(chunk[0]?.time ?? 0, lastSequence(chunk));
  await writer.add(chunk);
};

/** Maximum wait for the next chunk while a batch is uncommitted. */
const maxChunkWaitMs = 25;

/** Yields chunks, and once undefined when the next chunk is late while `isWaiting` returns true. */
async function* withTimeouts<T>(chunks: AsyncIterable<T>, isWaiting: () => boolean) {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next();
      if (isWaiting() && !(await arrivesInTime(next))) yield undefined;
      const { done, value } = await next;
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited, because it resolves only with the pending chunk, which may never arrive.
    iterator.return?.().catch(() => undefined);
  }
}

/** Checks whether a promise resolves or rejects within `maxChunkWaitMs`. It ignores the error, which the caller awaits next. */
const arrivesInTime = async (promise: Promise<unknown>): Promise<boolean> => {
  const timer = new AbortController();
  const arrived = promise.then(
    () => true,
    () => true,
  );
  const late = delay(maxChunkWaitMs, false, { signal: timer.signal }).catch(() => false);
  const isInTime = await Promise.race([arrived, late]);
  timer.abort();
  return isInTime;
};

/** Determines the start of a read. A first model is built from an incomplete log too, with a warning. */
const resolveStart = async (
  context: ProjectorContext,
  checkpoint: number,
): Promise<number | undefined> => {
  if (checkpoint > 0) return checkpoint;
  const hasRequest = () => hasPendingRequest(context.directory.path);
  const bounds = await retryWhileUnavailable(context, () => context.eventLog.bounds(), hasRequest);
  if (bounds && bounds.first > 1 && !bounds.isComplete) {
    context.logger.warn(
      { first: bounds.first },
      "the log begins late: what came before is not shown",
    );
  }
  return bounds && Math.max(0, bounds.first - 1);
};
