import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { messageOf } from "../../errors.ts";
import type { LogRecord } from "../../event-log/event-log.ts";
import { isOfDisk } from "../../lmdb/error-codes.ts";
import type { Store } from "../../read-model/store/store.ts";
import type { ProjectorWorld } from "../context.ts";
import type { Generation } from "../open-generation.ts";
import type { ProjectorStatus } from "../status.ts";
import { type AppliedBatch, type ApplyWorld, type Folding, openFolding } from "./batch.ts";

/** Maximum delay between two attempts to commit a batch. */
const maxRetryDelayMs = 10_000;

/** Applies records to a generation, in batches of a suitable size. */
export interface Pump {
  /**
   * Adds a chunk to the current batch, and commits the batch when it is full.
   * @throws `projection` when a projection fails
   */
  take(chunk: readonly LogRecord[]): Promise<void>;
  /**
   * Commits the current batch.
   * @returns false when the signal aborted before the batch was committed
   * @throws `projection` when a projection fails
   */
  settle(): Promise<boolean>;
  isSettled(): boolean;
}

/** Creates a batch writer that retries a commit on a full disk until the signal aborts. Readers go on meanwhile. */
export const openPump = (
  context: ProjectorWorld,
  generation: Generation,
  batchContext: ApplyWorld,
): Pump =>
  pumpInto(generation, batchContext, (batch, seconds) =>
    commitWithRetry(context, generation, batch, seconds),
  );

/**
 * Creates a batch writer with a commit strategy.
 * @param commit commits a batch that took `seconds` to fold; returns false when the signal aborted before the commit
 */
export const pumpInto = (
  { store }: Generation,
  batchContext: ApplyWorld,
  commit: (batch: Folding, seconds: number) => Promise<boolean>,
): Pump => {
  let batch: Folding | undefined;
  let seconds = 0;
  /** Adds records. It drops the whole batch when an event fails, because the batch may hold a part of that event. */
  const addOrDrop = (open: Folding, chunk: readonly LogRecord[]): readonly LogRecord[] => {
    try {
      return open.fold(chunk);
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
    async take(chunk) {
      for (let rest = chunk; rest.length > 0; ) {
        if (batch) await nextTurn();
        else store.refresh();
        batch ??= openFolding(store, batchContext);
        const started = performance.now();
        rest = addOrDrop(batch, rest);
        seconds += (performance.now() - started) / 1000;
        // Invariant: no record is written after a batch that was not committed.
        if (batch.isFull() && !(await flush())) return;
      }
    },
    settle: flush,
    isSettled: () => batch === undefined,
  };
};

const commitWithRetry = async (
  context: ProjectorWorld,
  { store }: Generation,
  batch: Folding,
  foldSeconds: number,
): Promise<boolean> => {
  let interrupted: Pick<ProjectorStatus, "state" | "reason"> | undefined;
  let result: AppliedBatch | undefined;
  let started = performance.now();
  for (let delayMs = 500; !result; delayMs = Math.min(delayMs * 2, maxRetryDelayMs)) {
    try {
      started = performance.now();
      addRevocations(context, store, batch);
      result = store.transaction((stored) => batch.write(stored));
    } catch (error) {
      if (!isOfDisk(error)) throw error;
      const reason = `the read model cannot be written: ${messageOf(error)}; make room on the disk of ${store.directory}`;
      context.log.error({ err: error, reason }, "a batch cannot be written; trying again");
      // Stores the state before the first failure. The status stays `faulted` until an attempt succeeds.
      interrupted ??= context.progress.status();
      context.progress.enter("faulted", reason);
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
  { directory, operator }: ProjectorWorld,
  store: Store,
  batch: Folding,
): void => {
  const rows = batch.revocations();
  if (rows.length > 0 && directory.current() === store.directory) operator.add(rows);
};

/** Restores the state after a commit: a rebuild continues, and any other generation is behind the log now. */
const restoreStatus = (
  { progress }: ProjectorWorld,
  { state, reason }: Pick<ProjectorStatus, "state" | "reason">,
): void =>
  state === "rebuilding" ? progress.enter(state, reason ?? undefined) : progress.enter("replaying");

/** Maximum number of dead letters per batch that are logged individually. */
const maxLoggedDeadLetters = 10;

const logDeadLetters = (context: ProjectorWorld, { deadLetters }: AppliedBatch): void => {
  for (const { sequence, subject, field, reason } of deadLetters.slice(0, maxLoggedDeadLetters)) {
    context.log.warn(
      { sequence, subject, field, reason },
      "an event was refused: it is a dead letter",
    );
  }
  const untold = deadLetters.length - maxLoggedDeadLetters;
  if (untold > 0) context.log.warn({ untold }, "more events of this batch were refused");
};
