import { setImmediate as nextTurn } from "node:timers/promises";
import { messageOf } from "../../errors.ts";
import type { LogIdentity, LogRecord } from "../../event-log/event-log.ts";
import { isDiskError } from "../../lmdb/error-codes.ts";
import { retry } from "../../platform/retry.ts";
import type { Store } from "../../read-model/store/store.ts";
import type { BatchResult, ProjectorContext } from "../context.ts";
import type { Generation } from "../open-generation.ts";
import { type Batch, type BatchContext, openBatch } from "./batch.ts";

const retryDelays = { firstDelayMs: 500, maxDelayMs: 10_000 };

/** Creates a batch writer that retries a commit on a full disk until the signal aborts. Readers go on meanwhile. */
export const createRetryingBatchWriter = (
  context: ProjectorContext,
  generation: Generation,
  identity: LogIdentity,
): BatchWriter =>
  createBatchWriter(generation, { identity, rendering: context.rendering }, (batch, seconds) =>
    commitWithRetry(context, generation, batch, seconds),
  );

export type BatchWriter = ReturnType<typeof createBatchWriter>;

/**
 * Creates a batch writer with a commit strategy.
 * @param commit commits a batch that took `seconds` to fold; returns false when the signal aborted before the commit
 */
export const createBatchWriter = (
  { store, history }: Generation,
  batchContext: BatchContext,
  commit: (batch: Batch, seconds: number) => Promise<boolean>,
) => {
  let batch: Batch | undefined;
  let seconds = 0;
  /** Adds records. It drops the whole batch when an event fails, because the batch may hold a part of that event. */
  const addOrDrop = (open: Batch, chunk: readonly LogRecord[]): readonly LogRecord[] => {
    try {
      return open.add(chunk);
    } catch (error) {
      batch = undefined;
      throw error;
    }
  };
  const flush = async (): Promise<boolean> => {
    const ready = batch;
    batch = undefined;
    const isDone = !ready || ready.isEmpty() || (await commit(ready, seconds));
    seconds = 0;
    await nextTurn();
    return isDone;
  };
  return {
    /**
     * Adds a chunk to the current batch, and commits the batch when it is full.
     * @throws `projection` when a projection fails
     */
    async add(chunk: readonly LogRecord[]): Promise<void> {
      for (let rest = chunk; rest.length > 0; ) {
        if (batch) await nextTurn();
        else store.refresh();
        batch ??= openBatch(store, { history, ...batchContext });
        const started = performance.now();
        rest = addOrDrop(batch, rest);
        seconds += (performance.now() - started) / 1000;
        // Invariant: no record is written after a batch that was not committed.
        if (batch.isFull() && !(await flush())) return;
      }
    },
    /**
     * Commits the current batch.
     * @returns false when the signal aborted before the batch was committed
     * @throws `projection` when a projection fails
     */
    flush,
    isEmpty: (): boolean => batch === undefined,
  };
};

const commitWithRetry = async (
  context: ProjectorContext,
  { store }: Generation,
  batch: Batch,
  foldSeconds: number,
): Promise<boolean> => {
  const { logger, progress, signal } = context;
  let started = performance.now();
  const commit = async (): Promise<BatchResult> => {
    started = performance.now();
    addRevocations(context, store, batch);
    return store.transaction((stored) => batch.commit(stored));
  };
  const result = await retry(commit, {
    ...retryDelays,
    isRetryable: isDiskError,
    onFailure(error) {
      const reason = `the read model cannot be written: ${messageOf(error)}; make room on the disk of ${store.directory}`;
      logger.error({ err: error, reason }, "a batch cannot be written; trying again");
      progress.block("write", reason);
    },
    signal,
  }).finally(() => progress.unblock("write"));
  if (!result) return false;
  progress.applied(result.checkpoint, result.redelivered);
  logDeadLetters(context, result);
  context.onBatch?.(result, foldSeconds + (performance.now() - started) / 1000);
  return true;
};

/**
 * Adds the revocations of a batch to the operator state before the commit, so that a crash in between revokes a token too
 * early and never too late. Only the current generation adds them, because a candidate may be built from the wrong log.
 */
const addRevocations = (
  { directory, operator }: ProjectorContext,
  store: Store,
  batch: Batch,
): void => {
  const rows = batch.revocations();
  if (rows.length > 0 && directory.resumable() === store.directory) operator.add(rows);
};

const maxLoggedDeadLetters = 10;

const logDeadLetters = (context: ProjectorContext, { deadLetters }: BatchResult): void => {
  for (const { sequence, subject, field, reason } of deadLetters.slice(0, maxLoggedDeadLetters)) {
    context.logger.warn(
      { sequence, subject, field, reason },
      "an event was refused: it is a dead letter",
    );
  }
  const unlogged = deadLetters.length - maxLoggedDeadLetters;
  if (unlogged > 0) context.logger.warn({ unlogged }, "more events of this batch were refused");
};
