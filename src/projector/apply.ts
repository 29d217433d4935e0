import { createHash } from "node:crypto";
import type { Rendering } from "../../projections/group.ts";
import { projectionVersions } from "../../projections/index.ts";
import { messageOf, VitrineError } from "../errors.ts";
import type { LogIdentity, LogRecord } from "../event-log/log.ts";
import { type Decoded, decode } from "../events/decode.ts";
import type { ShopEvent } from "../events/event.ts";
import type { Checkpoint, DeadLetter, Fingerprint } from "../read-model/checkpoint.ts";
import type { Store, Tables, WritableTables } from "../read-model/store.ts";
import { tables } from "../read-model/tables.ts";
import { type Batch, flushBatch, openBatch } from "./batch.ts";
import { derive } from "./derive/derive.ts";
import { fold, type Outcome } from "./fold.ts";

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
 * With this much a batch is full: to write it takes tenths of a second. Many events about one thing cost one row, so a
 * replay gains much from large batches.
 */
const most = { events: 131_072, edits: 4_096, bytes: 32 * 1024 * 1024 };

/** How many events before the checkpoint are remembered, so that a rewritten history is noticed. */
const fingerprintsKept = 16;

/** Events that are folded in memory, over as many chunks as come, and then written in one transaction. */
export interface Folding {
  /**
   * Folds a chunk of records in log order; those that were folded before are skipped. Never stops at a bad event
   * (contract section 2, refused events).
   * @throws `projection` when a projection itself fails
   */
  fold(records: readonly LogRecord[]): void;
  isEmpty(): boolean;
  /** Whether it is time to write, for the sake of memory and of how long that takes. */
  isFull(): boolean;
  /**
   * Writes documents, derived tables, dead letters and checkpoint. What fails can be tried again.
   * @throws `projection` when rendering fails; nothing of the batch may be kept then
   */
  write(stored: WritableTables): AppliedBatch;
}

/** @param stored what nobody else writes to until the batch was written */
export const openFolding = (stored: Tables, { identity, rendering }: ApplyWorld): Folding => {
  const known = stored.get(tables.meta, "checkpoint") ?? freshCheckpoint(identity);
  const batch = openBatch(stored);
  const tally = { applied: 0, stale: 0, repeated: 0, rejected: 0 };
  const deadLetters: DeadLetter[] = [];
  let { sequence: reached, lastEventTime } = known;
  let [events, bytes, redelivered] = [0, 0, 0];
  let recent: readonly LogRecord[] = [];
  return {
    fold(records) {
      const fresh = records.filter(({ sequence }) => sequence > reached);
      for (const record of fresh) {
        const told = tell(batch, record, rendering);
        if (told.deadLetter) deadLetters.push(told.deadLetter);
        tally[told.counts] += 1;
        lastEventTime = Math.max(lastEventTime, told.time);
        bytes += record.body.length;
      }
      events += fresh.length;
      redelivered += records.length - fresh.length;
      recent = [...recent, ...fresh.slice(-fingerprintsKept)].slice(-fingerprintsKept);
      reached = fresh.at(-1)?.sequence ?? reached;
    },
    isEmpty: () => events === 0 && redelivered === 0,
    isFull: () => events >= most.events || bytes >= most.bytes || editsOf(batch) >= most.edits,
    write(writable) {
      if (events === 0) return { checkpoint: known, ...tally, redelivered, deadLetters };
      for (const letter of deadLetters) writable.put(tables.deadLetters, letter.sequence, letter);
      flushBatch(batch, writable);
      derive(batch, writable, tally.rejected);
      const checkpoint = advance(known, recent, tally, lastEventTime);
      writable.put(tables.meta, "checkpoint", checkpoint);
      return { checkpoint, ...tally, redelivered, deadLetters };
    },
  };
};

/** Things that are dear to write: each may have HTML to render and words to index. */
const editsOf = ({ cores, categoryStates, pages }: Batch): number =>
  cores.changed().size + categoryStates.changed().size + pages.changed().size;

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
    folding.fold(records);
    return folding.write(stored);
  });

/** How one record ended. */
export interface Told {
  readonly counts: "applied" | "stale" | "repeated" | "rejected";
  /** Event time; 0 for what was no event. */
  readonly time: number;
  readonly deadLetter?: DeadLetter;
}

/**
 * Folds one record into a batch; what cannot be folded comes back as a dead letter.
 * @throws `projection` when the projection itself fails.
 */
export const tell = (
  batch: Batch,
  record: LogRecord,
  rendering: Rendering,
  decoded: Decoded = decode(record),
): Told => {
  if (!decoded.ok) {
    return { counts: "rejected", time: 0, deadLetter: deadLetterOf(record, decoded.rejection) };
  }
  const { event } = decoded;
  const outcome = foldOrStop(batch, event, rendering);
  if (outcome.outcome === "refused") {
    const { reason, field } = outcome;
    const deadLetter = deadLetterOf(record, { code: "refused", reason, field });
    return { counts: "rejected", time: 0, deadLetter };
  }
  return { counts: outcome.outcome, time: event.time };
};

const foldOrStop = (batch: Batch, event: ShopEvent, rendering: Rendering): Outcome => {
  const stop = (cause: unknown): never => {
    throw faultOf(event, cause);
  };
  try {
    return fold(batch, event, holdsHtml(event) ? stoppingAt(rendering, stop) : rendering);
  } catch (cause) {
    return stop(cause);
  }
};

const holdsHtml = ({ data }: ShopEvent): boolean =>
  "descriptionHtml" in data || "contentHtml" in data;

/** What is rendered may be so long after its event was folded: a fault names the event all the same. */
const stoppingAt = (rendering: Rendering, stop: (cause: unknown) => never): Rendering => {
  const stopping =
    <T>(render: (html: string) => T) =>
    (html: string): T => {
      try {
        return render(html);
      } catch (cause) {
        return stop(cause);
      }
    };
  const { fingerprint, plain, text, markdown, summary } = rendering;
  return {
    fingerprint,
    plain,
    text: stopping(text),
    markdown: stopping(markdown),
    summary: stopping(summary),
  };
};

const faultOf = (event: ShopEvent, cause: unknown): VitrineError => {
  if (cause instanceof VitrineError && cause.code === "projection") return cause;
  return new VitrineError(
    "projection",
    `the projection of ${event.type} failed at sequence ${event.logSequence} (event ${event.id}): ${messageOf(cause)}`,
    "this is a bug in Vitrine, not in the event; reads go on with the model as it is",
    cause,
  );
};

/** What is kept of a refused event. */
export const deadLetterOf = (
  record: LogRecord,
  refusal: Pick<DeadLetter, "code" | "reason" | "field">,
): DeadLetter => ({
  sequence: record.sequence,
  subject: record.subject,
  headers: Object.fromEntries(
    Object.entries(record.headers).filter(([name]) => /^(content-type$|ce-)/.test(name)),
  ),
  body: Buffer.from(record.body).toString("base64"),
  ...refusal,
});

/** The checkpoint of a generation that has seen nothing yet. */
export const freshCheckpoint = (identity: LogIdentity): Checkpoint => ({
  sequence: 0,
  logTime: 0,
  lastEventTime: 0,
  identity,
  fingerprints: [],
  tally: { applied: 0, stale: 0, repeated: 0, rejected: 0 },
  projections: projectionVersions,
});

const advance = (
  known: Checkpoint,
  newest: readonly LogRecord[],
  tally: Checkpoint["tally"],
  lastEventTime: number,
): Checkpoint => {
  const last = newest.at(-1) as LogRecord;
  const recent = newest.map(fingerprintOf);
  return {
    ...known,
    sequence: last.sequence,
    logTime: last.time,
    lastEventTime,
    fingerprints: [...known.fingerprints, ...recent].slice(-fingerprintsKept),
    tally: {
      applied: known.tally.applied + tally.applied,
      stale: known.tally.stale + tally.stale,
      repeated: known.tally.repeated + tally.repeated,
      rejected: known.tally.rejected + tally.rejected,
    },
  };
};

/** What the log held at a sequence, to be compared with what it holds there later. */
export const fingerprintOf = (record: LogRecord): Fingerprint => ({
  sequence: record.sequence,
  subject: record.subject,
  time: record.time,
  id: record.headers["nats-msg-id"] ?? "",
  sha256: createHash("sha256").update(record.body).digest("base64url"),
});
