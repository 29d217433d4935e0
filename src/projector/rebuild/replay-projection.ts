import { setImmediate as nextTurn } from "node:timers/promises";
import type { Rendering } from "../../../projections/field-group.ts";
import { type Projection, projections, projectionVersions } from "../../../projections/index.ts";
import { VitrineError } from "../../errors.ts";
import type { LogRecord } from "../../event-log/event-log.ts";
import { decode } from "../../events/decode.ts";
import type { DeadLetter } from "../../read-model/schema/checkpoint.ts";
import { tables } from "../../read-model/schema/tables.ts";
import type { Store, WritableTables } from "../../read-model/store/store.ts";
import { tell } from "../batch/apply-record.ts";
import { flushBatch, openBatch } from "../batch/unit-of-work.ts";
import { derive } from "../derive/derive.ts";
import type { Generation } from "../open-generation.ts";
import { copyOthers } from "./copy-rows.ts";
import { bytesOf, type ReplayWorld, readWithin, startOf, write } from "./replay.ts";

/** Rows or records to a transaction. */
const largestBatch = 1000;

/** @throws `usage` for a name that is none, with those there are */
export const projectionNamed = (name: string): Projection => {
  const found = projections.find((projection) => projection.name === name);
  if (found) return found;
  const names = projections.map((projection) => projection.name).join(", ");
  throw new VitrineError("usage", `--only ${name}: give one of ${names}`);
};

/**
 * Fills an empty generation with one projection built anew: its events are replayed up to where the live generation
 * stands, the rows of all others are copied from there, and what is derived is derived from both. What is derived
 * follows from rows alone, so the result is what a whole replay makes.
 * @param live directory of the live generation
 * @throws `usage` when other projections or the text data changed too; `divergence`, `event_log`, `projection`, `not_writable` as a replay
 */
export const replayOnly = async (
  projection: Projection,
  live: string,
  generation: Generation,
  world: ReplayWorld,
): Promise<void> => {
  const checkpoint = await copyOthers(projection, live, generation, world.signal);
  const { identity, fingerprints } = checkpoint;
  const after = await startOf(world.eventLog, 0);
  const limit = { sequence: checkpoint.sequence };
  const from = { after, identity, fingerprints };
  for await (const chunk of readWithin(world, from, limit)) {
    for (let at = 0; at < chunk.length && !world.signal.aborted; at += largestBatch) {
      const records = chunk.slice(at, at + largestBatch);
      write(generation, () => foldOwn(generation.store, projection, records, world.rendering));
      world.onRead?.(records.at(-1)?.sequence ?? after, bytesOf(records));
      await nextTurn();
    }
  }
  world.signal.throwIfAborted();
  const whole = { ...checkpoint, projections: projectionVersions };
  write(generation, () =>
    generation.store.transaction((stored) => stored.put(tables.meta, "checkpoint", whole)),
  );
};

/** Folds the projection's own events; what cannot be read may be one of them, and is judged again too. */
const foldOwn = (
  store: Store,
  projection: Projection,
  records: readonly LogRecord[],
  rendering: Rendering,
): void =>
  store.transaction((stored) => {
    const batch = openBatch(stored);
    let letters = 0;
    for (const record of records) {
      const decoded = decode(record);
      if (decoded.ok && !projection.events.includes(decoded.event.type)) continue;
      const { deadLetter } = tell(batch, record, rendering, decoded);
      letters += keepLetter(stored, record.sequence, deadLetter);
    }
    flushBatch(batch, stored);
    derive(batch, stored, letters);
  });

/** By how many the dead letters grew: 1, 0 or -1. */
const keepLetter = (
  stored: WritableTables,
  sequence: number,
  letter: DeadLetter | undefined,
): number => {
  const was = stored.has(tables.deadLetters, sequence);
  if (letter) stored.put(tables.deadLetters, sequence, letter);
  else if (was) stored.remove(tables.deadLetters, sequence);
  return Number(letter !== undefined) - Number(was);
};
