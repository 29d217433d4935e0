import { createHash } from "node:crypto";
import type { DeadLetter, DeadLetterDiscard } from "../schema/checkpoint.ts";
import { tables } from "../schema/tables.ts";
import { type ReadTables, readCheckpoint } from "../store/store.ts";
import type { StoredDiscard } from "./rows.ts";
import type { OperatorReader } from "./state.ts";

export type Discards = ReadonlyMap<number, StoredDiscard>;

/** Reads the discards for the log that a generation was built from. */
export const readDiscards = (
  stored: ReadTables,
  operator: Pick<OperatorReader, "discards">,
): Discards => {
  const log = readCheckpoint(stored)?.identity.name;
  return log === undefined ? new Map() : operator.discards(log);
};

/**
 * Finds the discard of a dead letter.
 * @returns undefined when the dead letter is open, even when another event at its sequence was discarded
 */
export const findDiscard = (
  discards: Discards,
  deadLetter: DeadLetter,
): DeadLetterDiscard | undefined => {
  const discard = discards.get(deadLetter.sequence);
  return discard && discard.event === computeDeadLetterDigest(deadLetter) ? discard : undefined;
};

export const isDiscarded = (stored: ReadTables, discards: Discards, sequence: number): boolean => {
  const discard = discards.get(sequence);
  return discard !== undefined && discard.event === digestAt(stored, sequence);
};

/** Reads the newest dead letters of a generation, open or discarded ones, before a sequence. */
export const newestDeadLetters = (
  stored: ReadTables,
  discards: Discards,
  which: {
    readonly discarded: boolean;
    readonly limit: number;
    readonly before?: number | undefined;
  },
): readonly DeadLetter[] => {
  const letters: DeadLetter[] = [];
  const start = which.before === undefined ? {} : { start: which.before - 1 };
  for (const sequence of stored.keys(tables.deadLetters, { reverse: true, ...start })) {
    if (isDiscarded(stored, discards, sequence) !== which.discarded) continue;
    const letter = stored.get(tables.deadLetters, sequence);
    if (letter) letters.push(letter);
    if (letters.length === which.limit) break;
  }
  return letters;
};

export const countOpenDeadLetters = (
  stored: ReadTables,
  operator: Pick<OperatorReader, "discards">,
): number => {
  const discards = readDiscards(stored, operator);
  let discarded = 0;
  for (const sequence of discards.keys()) {
    if (isDiscarded(stored, discards, sequence)) discarded += 1;
  }
  return (stored.get(tables.counters, "deadLetters") ?? 0) - discarded;
};

/** Cache of dead-letter digests, because counts are read often and the event at a sequence of a generation never changes. */
const digestCache = new WeakMap<ReadTables, Map<number, string>>();

const digestAt = (stored: ReadTables, sequence: number): string | undefined => {
  if (!stored.has(tables.deadLetters, sequence)) return undefined;
  const digests = digestCache.get(stored) ?? new Map<number, string>();
  digestCache.set(stored, digests);
  const deadLetter = digests.has(sequence) ? undefined : stored.get(tables.deadLetters, sequence);
  if (deadLetter) digests.set(sequence, computeDeadLetterDigest(deadLetter));
  return digests.get(sequence);
};

/** Computes SHA-256 of the event in a dead letter, without the reason, because its wording may change between versions. */
export const computeDeadLetterDigest = ({ subject, headers, body }: DeadLetter): string => {
  const sorted = Object.entries(headers).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([subject, sorted, body]))
    .digest("base64url");
};
