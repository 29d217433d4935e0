import { setImmediate as nextTurn } from "node:timers/promises";
import {
  isProjected,
  type Projection,
  projections,
  projectionVersions,
} from "../../../projections/index.ts";
import type { HtmlRenderer } from "../../../projections/projection.ts";
import { VitrineError } from "../../errors.ts";
import type { LogRecord } from "../../event-log/event-log.ts";
import { decode } from "../../events/decode.ts";
import { isFromProducer } from "../../events/message-content.ts";
import type { DeadLetter } from "../../read-model/schema/checkpoint.ts";
import { tables } from "../../read-model/schema/tables.ts";
import type { Store, WritableTables } from "../../read-model/store/store.ts";
import { applyRecord } from "../batch/apply-record.ts";
import { derive } from "../derive/derive.ts";
import type { Generation } from "../open-generation.ts";
import { flushUnitOfWork, openUnitOfWork, renderUnitOfWork } from "../unit-of-work/unit-of-work.ts";
import { copyOtherProjections } from "./copy-rows.ts";
import { mapWriteError, type ReplayContext, readUpTo, startSequence, sumBytes } from "./replay.ts";

const maxRecordsPerTransaction = 1000;

/** Finds a projection by name. @throws `usage` with the valid names when there is no such projection */
export const findProjection = (name: string): Projection => {
  const match = projections.find((projection) => projection.name === name);
  if (match) return match;
  const names = projections.map((projection) => projection.name).join(", ");
  throw new VitrineError("usage", `--only ${name}: give one of ${names}`);
};

/**
 * Fills an empty generation by a replay of one projection. Its events are replayed up to the checkpoint of the live generation,
 * and the rows of all other projections are copied from there. The result equals a full replay, because derived rows depend on
 * rows alone.
 * @param live directory of the live generation
 * @throws `usage` when other projections or the text data changed too; `divergence`, `event_log`, `projection`, `not_writable` as
 * `replay` does
 */
export const replayProjection = async (
  projection: Projection,
  live: string,
  generation: Generation,
  context: ReplayContext,
): Promise<void> => {
  const checkpoint = await copyOtherProjections(projection, live, generation, context.signal);
  const { identity, fingerprints } = checkpoint;
  const after = await startSequence(context.eventLog, 0);
  const limit = { sequence: checkpoint.sequence };
  const from = { after, identity, fingerprints };
  for await (const chunk of readUpTo(context, from, limit)) {
    for (let at = 0; at < chunk.length && !context.signal.aborted; at += maxRecordsPerTransaction) {
      const records = chunk.slice(at, at + maxRecordsPerTransaction);
      mapWriteError(generation, () =>
        applyOwnEvents(generation.store, projection, records, context.rendering),
      );
      context.onRead?.(records.at(-1)?.sequence ?? after, sumBytes(records));
      await nextTurn();
    }
  }
  context.signal.throwIfAborted();
  const current = { ...checkpoint, projections: projectionVersions };
  mapWriteError(generation, () =>
    generation.store.transaction((stored) => stored.put(tables.meta, "checkpoint", current)),
  );
};

/** Applies the projection's own events, and decodes rejected records again, because one may be such an event. */
const applyOwnEvents = (
  store: Store,
  projection: Projection,
  records: readonly LogRecord[],
  rendering: HtmlRenderer,
): void =>
  store.transaction((stored) => {
    const unit = openUnitOfWork(stored);
    let addedDeadLetters = 0;
    for (const record of records) {
      if (!isFromProducer(record)) continue;
      const decoded = decode(record);
      if (decoded.ok && !isProjected(projection, decoded.event.type)) continue;
      const { deadLetter } = applyRecord(unit, record, rendering, decoded);
      addedDeadLetters += updateDeadLetter(stored, record.sequence, deadLetter);
    }
    renderUnitOfWork(unit, rendering);
    flushUnitOfWork(unit, stored);
    derive(unit, stored, addedDeadLetters);
  });

/** Writes or removes the dead letter of a record. @returns the change of the number of dead letters: 1, 0 or -1 */
const updateDeadLetter = (
  stored: WritableTables,
  sequence: number,
  deadLetter: DeadLetter | undefined,
): number => {
  const isStored = stored.has(tables.deadLetters, sequence);
  if (deadLetter) stored.put(tables.deadLetters, sequence, deadLetter);
  else if (isStored) stored.remove(tables.deadLetters, sequence);
  return Number(deadLetter !== undefined) - Number(isStored);
};
