import { createHash } from "node:crypto";
import type { Rendering } from "../../projections/group.ts";
import { projectionVersions } from "../../projections/index.ts";
import { messageOf, VitrineError } from "../errors.ts";
import type { LogIdentity, LogRecord } from "../event-log/log.ts";
import { type Decoded, decode } from "../events/decode.ts";
import type { ShopEvent } from "../events/event.ts";
import type { Checkpoint, DeadLetter, Fingerprint } from "../read-model/checkpoint.ts";
import type { Store } from "../read-model/store.ts";
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

/** Most events folded in one transaction: tens of milliseconds of work, so that timers and signals get their turn. */
export const largestBatch = 1000;

/** How many events before the checkpoint are remembered, so that a rewritten history is noticed. */
const fingerprintsKept = 16;

/**
 * Folds records in log order: documents, derived tables, dead letters and checkpoint in one transaction.
 * Never stops at a bad event (contract section 2, refused events).
 * @throws `projection` when a projection itself fails; nothing of the batch is kept then.
 */
export const applyBatch = (
  store: Store,
  records: readonly LogRecord[],
  world: ApplyWorld,
): AppliedBatch =>
  store.transaction((stored) => {
    const known = stored.get(tables.meta, "checkpoint") ?? freshCheckpoint(world.identity);
    const fresh = records.filter((record) => record.sequence > known.sequence);
    const tally = { applied: 0, stale: 0, repeated: 0, rejected: 0 };
    const redelivered = records.length - fresh.length;
    const deadLetters: DeadLetter[] = [];
    if (fresh.length === 0) return { checkpoint: known, ...tally, redelivered, deadLetters };

    const batch = openBatch(stored);
    let lastEventTime = known.lastEventTime;
    for (const record of fresh) {
      const told = tell(batch, record, world.rendering);
      if (told.deadLetter) deadLetters.push(told.deadLetter);
      tally[told.counts] += 1;
      lastEventTime = Math.max(lastEventTime, told.time);
    }
    for (const letter of deadLetters) stored.put(tables.deadLetters, letter.sequence, letter);
    flushBatch(batch, stored);
    derive(batch, stored, tally.rejected);
    const checkpoint = advance(known, fresh, tally, lastEventTime);
    stored.put(tables.meta, "checkpoint", checkpoint);
    return { checkpoint, ...tally, redelivered, deadLetters };
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
  try {
    return fold(batch, event, rendering);
  } catch (cause) {
    throw new VitrineError(
      "projection",
      `the projection of ${event.type} failed at sequence ${event.logSequence} (event ${event.id}): ${messageOf(cause)}`,
      "this is a bug in Vitrine, not in the event; reads go on with the model as it is",
      cause,
    );
  }
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
  records: readonly LogRecord[],
  tally: Checkpoint["tally"],
  lastEventTime: number,
): Checkpoint => {
  const last = records.at(-1) as LogRecord;
  const recent = records.slice(-fingerprintsKept).map(fingerprintOf);
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
