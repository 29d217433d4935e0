import type { LogIdentity, LogRecord } from "../event-log/event-log.ts";
import { withTimeouts } from "../platform/async.ts";
import { type BatchWriter, createRetryingBatchWriter } from "./batch/batch-writer.ts";
import { commitUpToFault, isProjectionError } from "./batch/commit-up-to-fault.ts";
import type { ProjectorContext } from "./context.ts";
import type { ContinuityWatch } from "./continuity/continuity-watch.ts";
import { readContinuous } from "./continuity/read-continuous.ts";
import { type Generation, readCheckpointOrInitial } from "./open-generation.ts";
import { retryWhileUnavailable } from "./retry-while-unavailable.ts";
import type { RunContext } from "./run-context.ts";

/**
 * Reads and applies the log. When a projection fails, it commits the events before the failed one, so that the model is as
 * current as possible.
 * @throws `projection` when a projection fails at the first event after the checkpoint
 */
export const applyLog = async (
  context: RunContext,
  generation: Generation,
  identity: LogIdentity,
  watch: ContinuityWatch,
): Promise<void> => {
  for (;;) {
    try {
      return await applyFromCheckpoint(context, generation, identity, watch);
    } catch (error) {
      if (!isProjectionError(error)) throw error;
      const hasAdvanced = await commitUpToFault(context, generation, identity, watch);
      if (watch.signal.aborted) return;
      if (!hasAdvanced) throw error;
    }
  }
};

/** Maximum wait for the next chunk while a batch is uncommitted. */
const maxChunkWaitMs = 25;

const applyFromCheckpoint = async (
  context: RunContext,
  generation: Generation,
  identity: LogIdentity,
  watch: ContinuityWatch,
): Promise<void> => {
  const { sequence, fingerprints } = readCheckpointOrInitial(generation, identity);
  const after = await resolveStart(context, sequence);
  if (after === undefined) return;
  // A control request or a divergence ends the retries of a commit. The next read starts at the checkpoint again.
  const writerContext = { ...context, signal: watch.signal };
  const writer = createRetryingBatchWriter(writerContext, generation, identity);
  const ended = new AbortController();
  const signal = AbortSignal.any([watch.signal, ended.signal]);
  const options = { after, allowLateStart: sequence === 0, follow: true, signal };
  const chunks = readContinuous(context.eventLog, options, { identity, fingerprints });
  try {
    for await (const chunk of withTimeouts(chunks, maxChunkWaitMs, () => !writer.isEmpty())) {
      await watch.whenIdle();
      if (watch.signal.aborted) break;
      if (chunk) await applyChunk(context, generation, writer, chunk);
      // Records that the log is known to hold join the same batch.
      const isMoreExpected =
        chunk !== undefined && context.progress.status().logLast > lastSequence(chunk);
      if (isMoreExpected) continue;
      await writer.flush();
      await pollAtEnd(context);
    }
    await watch.whenIdle();
    if (watch.divergence() === undefined) await writer.flush();
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
  // At the end of an empty log the status was `live`. Events wait, so the status is `replaying` until they are visible.
  if (context.directory.live() !== generation.store.directory)
    context.progress.setState("replaying");
  context.progress.received(chunk[0]?.time ?? 0, lastSequence(chunk));
  await writer.add(chunk);
};

/** Determines the start of a read. A first model is built from an incomplete log too, with a warning. */
const resolveStart = async (
  context: ProjectorContext,
  checkpoint: number,
): Promise<number | undefined> => {
  if (checkpoint > 0) return checkpoint;
  const bounds = await retryWhileUnavailable(context, () => context.eventLog.bounds());
  if (bounds && bounds.first > 1 && !bounds.isComplete) {
    context.logger.warn(
      { first: bounds.first },
      "the log has no events before the sequence shown; the model lacks them",
    );
  }
  return bounds && Math.max(0, bounds.first - 1);
};

/** Polls the end of the log when the projector has applied all events that it has seen. */
export const pollAtEnd = async ({ monitor, progress }: RunContext): Promise<void> => {
  if (progress.status().lagEvents === 0) await monitor.pollEnd();
};
