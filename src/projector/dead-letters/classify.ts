import type { EventLog, LogRecord } from "../../event-log/event-log.ts";
import { type Decoded, decode } from "../../events/decode.ts";
import type { Checkpoint, DeadLetter } from "../../read-model/schema/checkpoint.ts";
import { tables } from "../../read-model/schema/tables.ts";
import type { Store } from "../../read-model/store/store.ts";
import type { Told } from "../batch/apply-record.ts";
import { type FoldUnit, unitNameOf, unitOf } from "./replay-units.ts";

/** Dead letters by what can be done with them. */
export interface SortedLetters {
  /** What the readable ones are about. */
  readonly units: readonly FoldUnit[];
  /** Every readable letter of these units, chosen or not: what one tells may decide how another ends. */
  readonly letters: readonly DeadLetter[];
  /** Those that are still no event of the contract, each with what is wrong now. */
  readonly unreadable: ReadonlyMap<number, Told>;
}

export const sortOut = (
  store: Store,
  chosen: readonly DeadLetter[],
  checkpoint: Checkpoint,
): SortedLetters => {
  const unreadable = new Map<number, Told>();
  const wanted = new Set<string>();
  for (const letter of chosen) {
    const decoded = decodeLetter(letter, checkpoint);
    if (decoded.ok) wanted.add(unitNameOf(decoded.event.subject));
    else unreadable.set(letter.sequence, stillRefused(letter, decoded));
  }
  const letters: DeadLetter[] = [];
  for (const [, letter] of wanted.size > 0 ? store.entries(tables.deadLetters) : []) {
    const decoded = decodeLetter(letter, checkpoint);
    if (decoded.ok && wanted.has(unitNameOf(decoded.event.subject))) letters.push(letter);
  }
  return { units: [...wanted].map(unitOf), letters, unreadable };
};

/** Letters that the log is asked for at a time: a broker's answer takes about as long for many as for one. */
const askedAtOnce = 64;

/** The letters as the log holds them, by sequence; as they were kept where it no longer does. */
export const recordsOf = async (
  eventLog: EventLog,
  letters: readonly DeadLetter[],
  checkpoint: Checkpoint,
): Promise<ReadonlyMap<number, LogRecord>> => {
  const records = new Map<number, LogRecord>();
  for (let from = 0; from < letters.length; from += askedAtOnce) {
    const slice = letters.slice(from, from + askedAtOnce);
    const held = await Promise.all(slice.map(({ sequence }) => eventLog.at(sequence)));
    for (const [at, letter] of slice.entries()) {
      records.set(letter.sequence, held[at] ?? recordOf(letter, checkpoint));
    }
  }
  return records;
};

const decodeLetter = (letter: DeadLetter, checkpoint: Checkpoint): Decoded =>
  decode(recordOf(letter, checkpoint));

const stillRefused = (
  { code: _code, reason: _reason, field: _field, ...event }: DeadLetter,
  { rejection: { code, reason, field } }: Exclude<Decoded, { readonly ok: true }>,
): Told => ({ counts: "rejected", time: 0, deadLetter: { ...event, code, reason, field } });

/** When the log took it is not kept, as models of two logs would differ by it: no later than the checkpoint. */
const recordOf = (
  { sequence, subject, headers, body }: DeadLetter,
  { logTime }: Checkpoint,
): LogRecord => ({ sequence, time: logTime, subject, headers, body: Buffer.from(body, "base64") });
