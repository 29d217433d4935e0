import type { EventLog, LogRecord } from "../../event-log/event-log.ts";
import { type DecodeResult, decode } from "../../events/decode.ts";
import type { Checkpoint, DeadLetter } from "../../read-model/schema/checkpoint.ts";
import { tables } from "../../read-model/schema/tables.ts";
import type { Store } from "../../read-model/store/store.ts";
import { type RecordOutcome, toRejectedOutcome } from "../batch/apply-record.ts";
import { replayUnitFor, replayUnitName } from "./replay-units.ts";

/**
 * Divides selected dead letters into those that can be replayed and those that still cannot.
 * @returns the replay units of those that decode
 */
export const classify = (store: Store, selected: readonly DeadLetter[], checkpoint: Checkpoint) => {
  /** Dead letters that still do not decode, by sequence, each with its current rejection. */
  const undecodable = new Map<number, RecordOutcome>();
  const unitNames = new Set<string>();
  for (const deadLetter of selected) {
    const decoded = decodeDeadLetter(deadLetter, checkpoint);
    if (decoded.ok) unitNames.add(replayUnitName(decoded.event.subject));
    else {
      const { code, reason, field } = decoded.rejection;
      const current = { ...deadLetter, code, reason, field };
      undecodable.set(deadLetter.sequence, toRejectedOutcome(current));
    }
  }
  /** All decodable dead letters of these units, selected or not: one can change the outcome of another. */
  const deadLetters: DeadLetter[] = [];
  for (const [, deadLetter] of unitNames.size > 0 ? store.entries(tables.deadLetters) : []) {
    const decoded = decodeDeadLetter(deadLetter, checkpoint);
    if (decoded.ok && unitNames.has(replayUnitName(decoded.event.subject)))
      deadLetters.push(deadLetter);
  }
  return { units: [...unitNames].map(replayUnitFor), deadLetters, undecodable };
};

/** Log records requested in parallel: the broker answers many requests in about the time of one. */
const maxParallelReads = 64;

/**
 * Reads the log records of dead letters.
 * @returns records by sequence; one that the log no longer holds is rebuilt from its dead letter
 */
export const loadRecords = async (
  eventLog: EventLog,
  deadLetters: readonly DeadLetter[],
  checkpoint: Checkpoint,
): Promise<ReadonlyMap<number, LogRecord>> => {
  const records = new Map<number, LogRecord>();
  for (let from = 0; from < deadLetters.length; from += maxParallelReads) {
    const slice = deadLetters.slice(from, from + maxParallelReads);
    const logRecords = await Promise.all(slice.map(({ sequence }) => eventLog.get(sequence)));
    for (const [index, deadLetter] of slice.entries()) {
      records.set(deadLetter.sequence, logRecords[index] ?? toRecord(deadLetter, checkpoint));
    }
  }
  return records;
};

const decodeDeadLetter = (deadLetter: DeadLetter, checkpoint: Checkpoint): DecodeResult =>
  decode(toRecord(deadLetter, checkpoint));

/**
 * Rebuilds a log record from its dead letter.
 * The record's time is that of the checkpoint, its upper bound: a dead letter stores no log time, because models of two
 * logs would differ by it.
 */
const toRecord = (
  { sequence, subject, headers, body }: DeadLetter,
  { logTime }: Checkpoint,
): LogRecord => ({ sequence, time: logTime, subject, headers, body: Buffer.from(body, "base64") });
