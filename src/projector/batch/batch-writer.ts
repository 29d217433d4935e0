import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { messageOf } from "../../errors.ts";
import type { LogRecord } from "../../event-log/event-log.ts";
import { isOfDisk } from "../../lmdb/error-codes.ts";
import type { Store } from "../../read-model/store/store.ts";
import type { ProjectorWorld } from "../context.ts";
import type { Generation } from "../open-generation.ts";
import type { ProjectorStatus } from "../status.ts";
import { type AppliedBatch, type ApplyWorld, type Folding, openFolding } from "./batch.ts";

/** Longest wait between two tries of a batch that could not be written, in milliseconds. */
const longestPause = 10_000;

/** Folds what the log brings into a generation, in batches as large as is good. */
export interface Pump {
  /**
   * Folds a chunk, and commits when the batch is full.
   * @throws `projection` when a projection fails.
   */
  take(chunk: readonly LogRecord[]): Promise<void>;
  /** Commits what was folded; false when it was told to end before it could. Throws as `take` does. */
  settle(): Promise<boolean>;
  isSettled(): boolean;
}

/** A write that fails for want of disk space is tried again until the signal comes; reads go on meanwhile. */
export const openPump = (world: ProjectorWorld, generation: Generation, apply: ApplyWorld): Pump =>
  pumpInto(generation, apply, (folding, seconds) =>
    writeAtLast(world, generation, folding, seconds),
  );

/** @param write commits a batch, which took so many seconds to fold; false when it was told to end before it could */
export const pumpInto = (
  { store }: Generation,
  apply: ApplyWorld,
  write: (folding: Folding, seconds: number) => Promise<boolean>,
): Pump => {
  let folding: Folding | undefined;
  let seconds = 0;
  /** A batch in which an event failed may hold a part of that event: nothing of it may be written. */
  const foldOrDrop = (batch: Folding, chunk: readonly LogRecord[]): readonly LogRecord[] => {
    try {
      return batch.fold(chunk);
    } catch (error) {
      folding = undefined;
      throw error;
    }
  };
  const settle = async (): Promise<boolean> => {
    const ready = folding;
    folding = undefined;
    const isDone = !ready || ready.isEmpty() || (await write(ready, seconds));
    seconds = 0;
    await nextTurn();
    return isDone;
  };
  return {
    async take(chunk) {
      for (let left = chunk; left.length > 0; ) {
        if (folding) await nextTurn();
        else store.refresh();
        folding ??= openFolding(store, apply);
        const started = performance.now();
        left = foldOrDrop(folding, left);
        seconds += (performance.now() - started) / 1000;
        // What comes after a batch that was not written must not be written either.
        if (folding.isFull() && !(await settle())) return;
      }
    },
    settle,
    isSettled: () => folding === undefined,
  };
};

const writeAtLast = async (
  world: ProjectorWorld,
  { store }: Generation,
  folding: Folding,
  folded: number,
): Promise<boolean> => {
  let interrupted: Pick<ProjectorStatus, "state" | "reason"> | undefined;
  let batch: AppliedBatch | undefined;
  let started = performance.now();
  for (let pause = 500; !batch; pause = Math.min(pause * 2, longestPause)) {
    try {
      started = performance.now();
      addRevocations(world, store, folding);
      batch = store.transaction((stored) => folding.write(stored));
    } catch (error) {
      if (!isOfDisk(error)) throw error;
      const reason = `the read model cannot be written: ${messageOf(error)}; make room on the disk of ${store.directory}`;
      world.log.error({ err: error, reason }, "a batch cannot be written; trying again");
      // Until a try succeeds it stays so: the status tells since when.
      interrupted ??= world.progress.status();
      world.progress.enter("faulted", reason);
      await delay(pause, undefined, { signal: world.signal }).catch(() => undefined);
      if (world.signal.aborted) return false;
    }
  }
  if (interrupted) goOn(world, interrupted);
  world.progress.applied(batch.checkpoint, batch.redelivered);
  tellDeadLetters(world, batch);
  world.onBatch?.(batch, folded + (performance.now() - started) / 1000);
  return true;
};

/**
 * Adds what a batch says of tokens to the operator state, before the batch is committed: a crash in between leaves a token dead
 * too soon, and never one alive. A generation that is not the current one adds nothing before it becomes that, because its
 * log may be the wrong one.
 */
const addRevocations = (
  { directory, operator }: ProjectorWorld,
  store: Store,
  folding: Folding,
): void => {
  const rows = folding.revocations();
  if (rows.length > 0 && directory.current() === store.directory) operator.add(rows);
};

/** A new generation is filled on, and any other is behind by now. */
const goOn = (
  { progress }: ProjectorWorld,
  { state, reason }: Pick<ProjectorStatus, "state" | "reason">,
): void =>
  state === "rebuilding" ? progress.enter(state, reason ?? undefined) : progress.enter("replaying");

/** Most dead letters of one batch that are told one by one. */
const mostTold = 10;

const tellDeadLetters = (world: ProjectorWorld, { deadLetters }: AppliedBatch): void => {
  for (const { sequence, subject, field, reason } of deadLetters.slice(0, mostTold)) {
    world.log.warn(
      { sequence, subject, field, reason },
      "an event was refused: it is a dead letter",
    );
  }
  const untold = deadLetters.length - mostTold;
  if (untold > 0) world.log.warn({ untold }, "more events of this batch were refused");
};
