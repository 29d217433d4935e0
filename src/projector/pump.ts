import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { messageOf, VitrineError } from "../errors.ts";
import type { LogRecord } from "../event-log/log.ts";
import { type AppliedBatch, type ApplyWorld, applyBatch, largestBatch } from "./apply.ts";
import type { Generation } from "./generation.ts";
import type { ProjectorWorld } from "./world.ts";

/** Longest wait between two tries of a batch that could not be written, in milliseconds. */
const longestPause = 10_000;

/**
 * Folds a chunk of records into a generation, batch by batch.
 * A write that fails for want of disk space is tried again for ever; reads go on meanwhile.
 * @throws `projection` when a projection fails.
 */
export const pumpChunk = async (
  world: ProjectorWorld,
  generation: Generation,
  chunk: readonly LogRecord[],
  apply: ApplyWorld,
): Promise<void> => {
  for (let at = 0; at < chunk.length && !world.signal.aborted; at += largestBatch) {
    await applyAtLast(world, generation, chunk.slice(at, at + largestBatch), apply);
    await nextTurn();
  }
};

const applyAtLast = async (
  world: ProjectorWorld,
  generation: Generation,
  records: readonly LogRecord[],
  apply: ApplyWorld,
): Promise<void> => {
  let isFaulted = false;
  for (let pause = 500; !world.signal.aborted; pause = Math.min(pause * 2, longestPause)) {
    try {
      const started = performance.now();
      const batch = applyBatch(generation.store, records, apply);
      if (isFaulted) world.progress.enter("replaying");
      world.progress.applied(batch.checkpoint, batch.redelivered);
      tellDeadLetters(world, batch);
      world.onBatch?.(batch, (performance.now() - started) / 1000);
      return;
    } catch (error) {
      if (error instanceof VitrineError) throw error;
      const reason = `the read model cannot be written: ${messageOf(error)}; make room on the disk of ${generation.store.directory}`;
      world.log.error({ err: error, reason }, "a batch cannot be written; trying again");
      // Until a try succeeds it stays so: the status tells since when.
      world.progress.enter("faulted", reason);
      isFaulted = true;
      await delay(pause, undefined, { signal: world.signal }).catch(() => undefined);
    }
  }
};

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
