import { createHash } from "node:crypto";
import { projectionVersions } from "../../projections/index.ts";
import { VitrineError } from "../errors.ts";
import type { LogIdentity, LogRecord } from "../event-log/event-log.ts";
import { type Checkpoint, type Fingerprint, layout } from "../read-model/schema/checkpoint.ts";
import { tables } from "../read-model/schema/tables.ts";
import type { Tables } from "../read-model/store/store.ts";
import { textData } from "../text/text-data.ts";

/** How many events before the checkpoint are remembered, so that a rewritten history is noticed. */
export const fingerprintsKept = 16;

/** The checkpoint of a generation that has seen nothing yet. */
export const freshCheckpoint = (identity: LogIdentity): Checkpoint => ({
  sequence: 0,
  logTime: 0,
  lastEventTime: 0,
  identity,
  fingerprints: [],
  tally: { applied: 0, stale: 0, repeated: 0, rejected: 0 },
  projections: projectionVersions,
  textData: textData(),
  layout,
});

/**
 * The checkpoint behind more records.
 * @param newest the last of them, at least one
 */
export const advance = (
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

/**
 * That nobody wrote to a generation since a batch was folded: a projector that stood still for longer than its lock lasts
 * has lost it to another one without knowing. To be asked in the transaction that writes the batch.
 * @param known what it was folded from
 * @throws `reopen` where somebody did: nothing of the batch may be kept
 */
export const mustStandAt = (stored: Tables, known: Checkpoint): void => {
  const now = stored.get(tables.meta, "checkpoint");
  const sequence = now?.sequence ?? 0;
  if (sequence === known.sequence && (now?.retries ?? 0) === (known.retries ?? 0)) return;
  throw new VitrineError(
    "reopen",
    `another process brought the model to event ${sequence} while a batch behind event ${known.sequence} was folded`,
    "let one projector alone write to a data directory; this one ends, and nothing of its batch is kept",
  );
};

/** What the log held at a sequence, to be compared with what it holds there later. */
export const fingerprintOf = (record: LogRecord): Fingerprint => ({
  sequence: record.sequence,
  subject: record.subject,
  time: record.time,
  id: record.headers["nats-msg-id"] ?? "",
  sha256: createHash("sha256").update(record.body).digest("base64url"),
});
