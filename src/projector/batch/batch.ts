import type { Rendering } from "../../../projections/field-group.ts";
import type { LogIdentity, LogRecord } from "../../event-log/event-log.ts";
import type { RevocationRow } from "../../read-model/operator/rows.ts";
import type { Checkpoint, DeadLetter } from "../../read-model/schema/checkpoint.ts";
import { tables } from "../../read-model/schema/tables.ts";
import type { Store, Tables, WritableTables } from "../../read-model/store/store.ts";
import { advance, fingerprintsKept, freshCheckpoint, mustStandAt } from "../advance-checkpoint.ts";
import { derive } from "../derive/derive.ts";
import { revocationsIn } from "../revocations.ts";
import { faultOfBatch, tell } from "./apply-record.ts";
import { openIndexed } from "./indexing-cost.ts";
import { type Batch, flushBatch, openBatch } from "./unit-of-work.ts";

export interface ApplyWorld {
  readonly identity: LogIdentity;
  readonly rendering: Rendering;
}

/** What one batch came to; the counts are of this batch only. */
export interface AppliedBatch {
  readonly checkpoint: Checkpoint;
  readonly applied: number;
  readonly stale: number;
  readonly repeated: number;
  readonly rejected: number;
  /** Records at or before the checkpoint: delivered again, and skipped. */
  readonly redelivered: number;
  readonly deadLetters: readonly DeadLetter[];
}

/**
 * With this much a batch is full: to write it takes up to a second, and some where HTML is of the dearest kind, 1 ms for a
 * thousand characters. Many events about one thing cost one row, so a replay gains much from large batches.
 */
export const fullBatch = {
  events: 131_072,
  edits: 8_192,
  bytes: 32 * 1024 * 1024,
  html: 2 * 1024 * 1024,
  /** Characters whose words are written, or taken out: 1 ms for a thousand where each is a word that no other says. */
  indexed: 2 * 1024 * 1024,
};

/** Events that are folded in memory, over as many chunks as come, and then written in one transaction. */
export interface Folding {
  /**
   * Folds a chunk of records in log order; those that were folded before are skipped. Never stops at a bad event
   * (contract section 2, refused events).
   * @returns the records that were left, as text became too much for one batch: at least one was folded
   * @throws `projection` when a projection itself fails
   */
  fold(records: readonly LogRecord[]): readonly LogRecord[];
  isEmpty(): boolean;
  /** Whether it is time to write, for the sake of memory and of how long that takes. */
  isFull(): boolean;
  /** Reads which tokens are dead after these events: to be added to the operator state before they are written. */
  revocations(): readonly RevocationRow[];
  /**
   * Writes documents, derived tables, dead letters and checkpoint. What fails can be tried again.
   * @throws `projection` when rendering or deriving fails; `reopen` when somebody else wrote meanwhile; nothing of the
   * batch may be kept then
   */
  write(stored: WritableTables): AppliedBatch;
}

/** @param stored what nobody else writes to until the batch was written */
export const openFolding = (stored: Tables, world: ApplyWorld): Folding => {
  const { rendering } = world;
  const known = stored.get(tables.meta, "checkpoint") ?? freshCheckpoint(world.identity);
  const batch = openBatch(stored);
  const tally = { applied: 0, stale: 0, repeated: 0, rejected: 0 };
  const deadLetters: DeadLetter[] = [];
  let { sequence: reached, lastEventTime } = known;
  let [events, bytes, html, redelivered] = [0, 0, 0, 0];
  let recent: readonly LogRecord[] = [];
  const indexed = openIndexed(batch);
  const isFullOfText = (): boolean =>
    html >= fullBatch.html || indexed.characters() >= fullBatch.indexed;
  return {
    fold(records) {
      const fresh: LogRecord[] = [];
      let taken = 0;
      for (const record of records) {
        // A few bytes of one event may take a long text out of the index.
        if (taken > 0 && isFullOfText()) break;
        taken += 1;
        // It may come again within one chunk too.
        if (record.sequence <= reached) continue;
        reached = record.sequence;
        fresh.push(record);
        const told = tell(batch, record, rendering);
        if (told.deadLetter) deadLetters.push(told.deadLetter);
        tally[told.counts] += 1;
        lastEventTime = Math.max(lastEventTime, told.time);
        bytes += record.body.length;
        html += told.html ?? 0;
        if (told.product !== undefined) indexed.tell(told.product, told.html);
      }
      events += fresh.length;
      redelivered += taken - fresh.length;
      recent = [...recent, ...fresh.slice(-fingerprintsKept)].slice(-fingerprintsKept);
      return taken < records.length ? records.slice(taken) : none;
    },
    isEmpty: () => events === 0 && redelivered === 0,
    isFull: () =>
      events >= fullBatch.events ||
      bytes >= fullBatch.bytes ||
      isFullOfText() ||
      editsOf(batch) >= fullBatch.edits,
    revocations: () => revocationsIn(batch),
    write(writable) {
      if (events === 0) return { checkpoint: known, ...tally, redelivered, deadLetters };
      mustStandAt(writable, known);
      try {
        for (const letter of deadLetters) writable.put(tables.deadLetters, letter.sequence, letter);
        flushBatch(batch, writable);
        derive(batch, writable, tally.rejected);
      } catch (cause) {
        throw faultOfBatch(cause, known.sequence + 1, reached);
      }
      // What the log calls itself may have been learnt meanwhile.
      const { identity } = writable.get(tables.meta, "checkpoint") ?? known;
      const checkpoint = { ...advance(known, recent, tally, lastEventTime), identity };
      writable.put(tables.meta, "checkpoint", checkpoint);
      return { checkpoint, ...tally, redelivered, deadLetters };
    },
  };
};

const none: readonly LogRecord[] = [];

/**
 * What is dear to write. A product may have HTML to render and words to index, and is in several lists, of which a new
 * price changes most and new stock some: 105 and 85 µs on two cores, where a product is 120.
 */
const editsOf = ({ cores, prices, stocks, categoryStates, pages }: Batch): number => {
  const others = categoryStates.changed().size + pages.changed().size;
  // Asked of each chunk: a product that was told of in several ways is looked for only where that may matter.
  const most = cores.changed().size + prices.changed().size + stocks.changed().size / 2 + others;
  if (most < fullBatch.edits) return most;
  const products = new Set([...cores.changed(), ...prices.changed()]);
  let stocked = 0;
  for (const id of stocks.changed()) if (!products.has(id)) stocked += 1;
  return products.size + stocked / 2 + others;
};

/**
 * Folds records in log order and writes what follows, all in one transaction however many they are.
 * @throws `projection` when a projection itself fails; nothing of the batch is kept then.
 */
export const applyBatch = (
  store: Store,
  records: readonly LogRecord[],
  world: ApplyWorld,
): AppliedBatch =>
  store.transaction((stored) => {
    const folding = openFolding(stored, world);
    for (let left = records; left.length > 0; ) left = folding.fold(left);
    return folding.write(stored);
  });
