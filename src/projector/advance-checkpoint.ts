import { createHash } from "node:crypto";
import { projectionVersions } from "../../projections/index.ts";
import { VitrineError } from "../errors.ts";
import type { LogIdentity, LogRecord } from "../event-log/event-log.ts";
import {
  addCounts,
  type Checkpoint,
  modelLayout,
  noEvents,
  type RecordFingerprint,
} from "../read-model/schema/checkpoint.ts";
import { type ReadTables, readCheckpoint } from "../read-model/store/store.ts";
import { textData } from "../text/text-data.ts";

/** Number of records before the checkpoint whose fingerprints are stored, so that a rewritten history is detected. */
export const fingerprintWindow = 16;

/** @param history that of the generation that the new one replaces */
export const initialCheckpoint = (identity: LogIdentity, history?: string): Checkpoint => ({
  sequence: 0,
  logTime: 0,
  lastEventTime: 0,
  identity,
  fingerprints: [],
  ...(history !== undefined && { history }),
  tally: noEvents,
  projections: projectionVersions,
  textData: textData(),
  layout: modelLayout,
});

/**
 * Builds the checkpoint after more records.
 * @param first the first of these records
 * @param latest the last of these records, at least one
 */
export const advanceCheckpoint = (
  previous: Checkpoint,
  first: LogRecord,
  latest: readonly LogRecord[],
  tally: Checkpoint["tally"],
  lastEventTime: number,
): Checkpoint => {
  const last = latest.at(-1) as LogRecord;
  const added = latest.map(fingerprintRecord);
  return {
    ...previous,
    first: previous.first ?? fingerprintRecord(first),
    sequence: last.sequence,
    logTime: last.time,
    lastEventTime,
    fingerprints: [...previous.fingerprints, ...added].slice(-fingerprintWindow),
    tally: addCounts(previous.tally, tally),
  };
};

/**
 * Checks that no other process wrote to a generation since a batch was opened. Call it in the transaction that writes the
 * batch, because a projector that is stopped for longer than its lock lasts loses the lock without notice.
 * @param expected the checkpoint that the batch was folded from
 * @throws `reopen` when another process wrote: nothing of the batch may be committed
 */
export const assertCheckpointUnchanged = (stored: ReadTables, expected: Checkpoint): void => {
  const current = readCheckpoint(stored);
  const sequence = current?.sequence ?? 0;
  if (sequence === expected.sequence && (current?.retries ?? 0) === (expected.retries ?? 0)) return;
  throw new VitrineError(
    "reopen",
    `another process brought the model to event ${sequence} while a batch behind event ${expected.sequence} was folded`,
    "let only one projector write to a data directory; this one ends without committing its batch",
  );
};

/** Computes the fingerprint of a record, which is compared later with the record at the same sequence. */
export const fingerprintRecord = (record: LogRecord): RecordFingerprint => ({
  sequence: record.sequence,
  subject: record.subject,
  time: record.time,
  id: record.headers["nats-msg-id"] ?? "",
  sha256: createHash("sha256").update(record.body).digest("base64url"),
});
