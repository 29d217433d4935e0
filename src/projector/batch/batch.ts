import type { HtmlRenderer } from "../../../projections/projection.ts";
import type { LogIdentity, LogRecord } from "../../event-log/event-log.ts";
import { isFromProducer } from "../../events/message-content.ts";
import type { RevocationRow } from "../../read-model/operator/rows.ts";
import { type DeadLetter, noEvents } from "../../read-model/schema/checkpoint.ts";
import { productOfKey } from "../../read-model/schema/keys.ts";
import { tables } from "../../read-model/schema/tables.ts";
import {
  type ReadTables,
  readCheckpoint,
  type Store,
  type WritableTables,
} from "../../read-model/store/store.ts";
import {
  advanceCheckpoint,
  assertCheckpointUnchanged,
  fingerprintWindow,
  initialCheckpoint,
} from "../advance-checkpoint.ts";
import type { BatchResult } from "../context.ts";
import { getVisibleCore } from "../derive/change-log.ts";
import { derive } from "../derive/derive.ts";
import { toBatchError } from "../unit-of-work/projection-errors.ts";
import {
  collectRevocations,
  flushUnitOfWork,
  openUnitOfWork,
  renderUnitOfWork,
  type UnitOfWork,
} from "../unit-of-work/unit-of-work.ts";
import { applyRecord } from "./apply-record.ts";

export interface BatchContext {
  readonly identity: LogIdentity;
  /** History of the log, for the first checkpoint of a generation. */
  readonly history?: string | undefined;
  readonly rendering: HtmlRenderer;
}

/**
 * Limits of a batch. Measured: a full batch takes up to a second to write, and some seconds with the most expensive HTML, which
 * renders 1,000 characters per ms. Large batches speed up a replay, because many events about one entity cost one row.
 */
export const batchLimits = {
  events: 131_072,
  edits: 8_192,
  bytes: 32 * 1024 * 1024,
  /** Bytes of events that state texts, and characters of the texts before, because both are indexed. Measured: 1 ms for 1,000. */
  textBytes: 2 * 1024 * 1024,
};

/** Folds the events of several chunks in memory, and writes them in one transaction. */
export interface Batch {
  /**
   * Folds a chunk of records in log order, and skips redelivered ones. Contract §2: a rejected event does not stop it.
   * @returns the remaining records, when the text limit was reached; at least one record was folded
   * @throws `projection` when a projection itself fails
   */
  add(records: readonly LogRecord[]): readonly LogRecord[];
  isEmpty(): boolean;
  /** Checks whether the batch must be written, to limit memory and the duration of the write. */
  isFull(): boolean;
  /** Builds the revocation rows of these events. The caller adds them to the operator state before the commit. */
  revocations(): readonly RevocationRow[];
  /**
   * Writes documents, derived tables, dead letters and checkpoint. A failed call can be repeated.
   * @throws `projection` when rendering or deriving fails; `reopen` when another process wrote to the model. The caller must
   * not commit the transaction then.
   */
  commit(stored: WritableTables): BatchResult;
}

/** @param stored tables that no other process writes to until the batch is written */
export const openBatch = (stored: ReadTables, context: BatchContext): Batch => {
  const { rendering } = context;
  const start = readCheckpoint(stored) ?? initialCheckpoint(context.identity, context.history);
  const unit = openUnitOfWork(stored);
  const tally = { ...noEvents };
  const deadLetters: DeadLetter[] = [];
  let { sequence: reached, lastEventTime } = start;
  let [events, bytes, textBytes, redelivered] = [0, 0, 0, 0];
  let first: LogRecord | undefined;
  let recent: readonly LogRecord[] = [];
  const retexted = new Set<number>();
  const isFullOfText = (): boolean => textBytes >= batchLimits.textBytes;
  const apply = (record: LogRecord): void => {
    reached = record.sequence;
    if (!isFromProducer(record)) return;
    const outcome = applyRecord(unit, record, rendering);
    if (outcome.deadLetter) deadLetters.push(outcome.deadLetter);
    tally[outcome.counts] += 1;
    lastEventTime = Math.max(lastEventTime, outcome.time);
    bytes += record.body.length;
    textBytes += outcome.textBytes;
    if (outcome.product === undefined || retexted.has(outcome.product)) return;
    textBytes += countCharacters(unit, outcome.product);
    retexted.add(outcome.product);
  };
  return {
    add(records) {
      const fresh: LogRecord[] = [];
      let processed = 0;
      for (const record of records) {
        // Checked per record, because a small event may remove a long text from the index.
        if (processed > 0 && isFullOfText()) break;
        processed += 1;
        // A chunk may repeat one of its own records.
        if (record.sequence <= reached) continue;
        fresh.push(record);
        apply(record);
      }
      first ??= fresh[0];
      events += fresh.length;
      redelivered += processed - fresh.length;
      recent = [...recent, ...fresh.slice(-fingerprintWindow)].slice(-fingerprintWindow);
      return records.slice(processed);
    },
    isEmpty: () => events === 0 && redelivered === 0,
    isFull: () =>
      events >= batchLimits.events ||
      bytes >= batchLimits.bytes ||
      isFullOfText() ||
      estimateCost(unit) >= batchLimits.edits,
    revocations: () => collectRevocations(unit),
    commit(writable) {
      if (!first) return { checkpoint: start, ...tally, redelivered, deadLetters };
      assertCheckpointUnchanged(writable, start);
      try {
        for (const deadLetter of deadLetters)
          writable.put(tables.deadLetters, deadLetter.sequence, deadLetter);
        renderUnitOfWork(unit, rendering);
        flushUnitOfWork(unit, writable);
        derive(unit, writable, { deadLetters: tally.rejected, to: reached });
      } catch (cause) {
        throw toBatchError(cause, start.sequence + 1, reached);
      }
      // The continuity check may have stored another identity since the batch was opened.
      const { identity } = readCheckpoint(writable) ?? start;
      const checkpoint = {
        ...advanceCheckpoint(start, first, recent, tally, lastEventTime),
        identity,
      };
      writable.put(tables.meta, "checkpoint", checkpoint);
      return { checkpoint, ...tally, redelivered, deadLetters };
    },
  };
};

/** Counts the long texts of a product before the batch. They cost no further read, because the write reads these rows. */
const countCharacters = ({ productCores, productTexts }: UnitOfWork, id: number): number => {
  const { specifications = [] } = getVisibleCore(productCores.original(id)) ?? {};
  const description = productTexts.original(id)?.length ?? 0;
  return specifications.reduce(
    (sum, { name, value }) => sum + name.length + value.length,
    description,
  );
};

/**
 * Estimates the cost of a write, in product edits. A product may have HTML to render and terms to index, and is in several
 * lists; a new price changes most of these lists and new stock some. Measured on two cores: product 120 µs, price 105 µs,
 * stock 85 µs, each changed variant of it a third.
 */
const estimateCost = ({ stocks, categoryStates, pages, ...unit }: UnitOfWork): number => {
  const others = categoryStates.changedKeys().size + pages.changedKeys().size;
  const tracked = [unit.productCores, unit.variantLists, unit.variantStates, unit.prices];
  // Runs for each chunk, so products changed by several events are deduplicated only when the upper bound is over the limit.
  const statedSize = tracked.reduce((sum, table) => sum + table.changedKeys().size, 0);
  const upperBound = statedSize + stocks.changedKeys().size / 2 + others;
  if (upperBound < batchLimits.edits) return upperBound;
  const keys = new Set(tracked.flatMap((table) => [...table.changedKeys()]));
  const products = new Set([...keys].map(productOfKey));
  const stocked = [...stocks.changedKeys()].filter((key) => !keys.has(key));
  const stockOnly = new Set(stocked.map(productOfKey).filter((id) => !products.has(id)));
  // Of the changed variants of a product, the first is counted with it.
  const stated = products.size + (keys.size - products.size) / 3;
  return stated + (stockOnly.size + (stocked.length - stockOnly.size) / 3) / 2 + others;
};

/**
 * Applies records in log order and writes the result in one transaction of any size.
 * @throws `projection` when a projection itself fails; nothing is written then
 */
export const applyBatch = (
  store: Store,
  records: readonly LogRecord[],
  context: BatchContext,
): BatchResult =>
  store.transaction((stored) => {
    const batch = openBatch(stored, context);
    for (let rest = records; rest.length > 0; ) rest = batch.add(rest);
    return batch.commit(stored);
  });
