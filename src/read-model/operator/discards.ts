import type { DeadLetter, Discard } from "../schema/checkpoint.ts";
import { tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";
import { digestOfLetter } from "./dead-letter-digest.ts";
import type { StoredDiscard } from "./rows.ts";
import type { OperatorReader } from "./state.ts";

/** Discards by the sequence of their event. */
export type Discards = ReadonlyMap<number, StoredDiscard>;

/** Reads the discards for the log that a generation was built from. */
export const discardsFor = (
  stored: Tables,
  operator: Pick<OperatorReader, "discards">,
): Discards => {
  const log = stored.get(tables.meta, "checkpoint")?.identity.name;
  return log === undefined ? new Map() : operator.discards(log);
};

/**
 * Finds the discard of a dead letter.
 * @returns undefined when the dead letter is open, even when another event at its sequence was discarded
 */
export const discardOf = (discards: Discards, deadLetter: DeadLetter): Discard | undefined => {
  const discard = discards.get(deadLetter.sequence);
  return discard && discard.event === digestOfLetter(deadLetter) ? discard : undefined;
};

/** Returns true when the dead letter at a sequence of a generation is discarded. */
export const isDiscarded = (stored: Tables, discards: Discards, sequence: number): boolean => {
  const discard = discards.get(sequence);
  return discard !== undefined && discard.event === digestAt(stored, sequence);
};

/** Counts the dead letters that are not discarded. */
export const openDeadLetters = (
  stored: Tables,
  operator: Pick<OperatorReader, "discards">,
): number => {
  const discards = discardsFor(stored, operator);
  let discarded = 0;
  for (const sequence of discards.keys()) {
    if (isDiscarded(stored, discards, sequence)) discarded += 1;
  }
  return (stored.get(tables.counters, "deadLetters") ?? 0) - discarded;
};

/** Cache of dead-letter digests, because counts are read often and the event at a sequence of a generation never changes. */
const digestCache = new WeakMap<Tables, Map<number, string>>();

const digestAt = (stored: Tables, sequence: number): string | undefined => {
  if (!stored.has(tables.deadLetters, sequence)) return undefined;
  const digests = digestCache.get(stored) ?? new Map<number, string>();
  digestCache.set(stored, digests);
  const deadLetter = digests.has(sequence) ? undefined : stored.get(tables.deadLetters, sequence);
  if (deadLetter) digests.set(sequence, digestOfLetter(deadLetter));
  return digests.get(sequence);
};
