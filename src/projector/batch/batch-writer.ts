import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { messageOf } from "../../errors.ts";
import type { LogRecord } from "../../event-log/event-log.ts";
import { isDiskError } from "../../lmdb/error-codes.ts";
import type { Store } from "../../read-model/store/store.ts";
import type { ProjectorContext } from "../context.ts";
import type { Generation } from "../open-generation.ts";
import type { ProjectorStatus } from "../status.ts";
import { type Batch, type BatchContext, type BatchResult, openBatch } from "./batch.ts";

/** Maximum delay between two attempts to commit a batch. */
const maxRetryDelayMs = 10_000;

/** Applies records to a generation, in batches of a suitable size. */
export interface BatchWriter {
  /**
   * Adds a chunk to the current batch, and commits the batch when it is full.
   * @throws `projection` when a projection fails
   */
  add(chunk: readonly LogRecord[]): Promise<void>;
  /**
   * Commits the current batch.
   * @returns false when the signal aborted before the batch was committed
   * @throws `projection` when a projection fails
   */
  flush(): Promise<boolean>;
  isEmpty(): boolean;
}

/** Creates a batch writer that retries a commit on a full disk until the signal aborts. Readers go on meanwhile. */
export const createRetryingBatchWriter = (
  context: ProjectorContext,
  generation: Generation,
  batchContext: BatchContext,
): BatchWriter =>
  createBatchWriter(generation, batchContext, (batch, seconds) =>
    commitWithRetry(context, generation, batch, seconds),
  );

/**
 * Creates a batch writer with a commit strategy.
 * @param commit commits a batch that took `seconds` to fold; returns false when the signal aborted before the commit
 */
export const createBatchWriter = (
  { store }: Generation,
  batchContext: BatchContext,
  commit: (batch: Batch, seconds: number) => Promise<boolean>,
): BatchWriter => {
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
    async add(chunk) {
      for (let rest = chunk; rest.length > 0; ) {
        if (batch) await nextTurn();
        else store.refresh();
        batch ??= openBatch(store, batchContext);
        const started = performance.now();
        rest = addOrDrop(batch, rest);
        seconds += (performance.now() - started) / 1000;
        // Invariant: no record is written after a batch that was not committed.
        if (batch.isFull() && !(await flush())) return;
      }
    },
    flush,
    isEmpty: () => batch === undefined,
  };
};

const commitWithRetry = async (
  context: ProjectorContext,
  { store }: Generation,
  batch: Batch,
  foldSeconds: number,
): Promise<boolean> => {
  let interrupted: Pick<ProjectorStatus, "state" | "reason"> | undefined;
  let result: BatchResult | undefined;
  let started = performance.now();
  for (let delayMs = 500; !result; delayMs = Math.min(delayMs * 2, maxRetryDelayMs)) {
    try {
      started = performance.now();
      addRevocations(context, store, batch);
      result = store.transaction((stored) => batch.commit(stored));
    } catch (error) {
      if (!isDiskError(error)) throw error;
      const reason = `the read model cannot be written: ${messageOf(error)}; make room on the disk of ${store.directory}`;
      context.logger.error({ err: error, reason }, "a batch cannot be written; trying again");
      // Stores the state before the first failure. The status stays `faulted` until an attempt succeeds.
      interrupted ??= context.progress.status();
      context.progress.setState("faulted", reason);
      await delay(delayMs, undefined, { signal: context.signal }).catch(() => undefined);
      if (context.signal.aborted) return false;
    }
  }
  if (interrupted) restoreStatus(context, interrupted);
  context.progress.applied(result.checkpoint, result.redelivered);
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

/** Restores the state after a commit: a rebuild continues, and any other generation is behind the log now. */
const restoreStatus = (
  { progress }: ProjectorContext,
  { state, reason }: Pick<ProjectorStatus, "state" | "reason">,
): void =>
  state === "rebuilding"
    ? progress.setState(state, reason ?? undefined)
    : progress.setState("replaying");

/** Maximum number of dead letters per batch that are logged individually. */
const maxLoggedDeadLetters = 10;

const logDeadLetters = (context: ProjectorContext, { deadLetters }: BatchResult): void => {
  for (const { sequence, subject, field, reason } of deadLetters.slice(0, maxLoggedDeadLetters)) {
    context.logger.warn(
      { sequence, subject, field, reason },
      "an event was refused: it is a dead letter",
    );
  }
  const untold = deadLetters.length - maxLoggedDeadLetters;
  if (untold > 0) context.logger.warn({ untold }, "more events of this batch were refused");
};
