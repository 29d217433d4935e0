import type { DeadLetter, Discard } from "../schema/checkpoint.ts";
import { tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";
import { digestOfLetter } from "./dead-letter-digest.ts";
import type { StoredDiscard } from "./rows.ts";
import type { OperatorReader } from "./state.ts";

/** Discards by the sequence of their event. */
export type Discards = ReadonlyMap<number, StoredDiscard>;

/** Reads the discards of the log that a generation was made of. */
export const discardsFor = (
  stored: Tables,
  operator: Pick<OperatorReader, "discards">,
): Discards => {
  const log = stored.get(tables.meta, "checkpoint")?.identity.name;
  return log === undefined ? new Map() : operator.discards(log);
};

/**
 * Finds the discard of a dead letter.
 * @returns undefined for an open letter, be it that another event of its sequence was discarded
 */
export const discardOf = (discards: Discards, letter: DeadLetter): Discard | undefined => {
  const found = discards.get(letter.sequence);
  return found && found.event === digestOfLetter(letter) ? found : undefined;
};

/** Whether the letter at a sequence of a generation is discarded. */
export const isDiscarded = (stored: Tables, discards: Discards, sequence: number): boolean => {
  const found = discards.get(sequence);
  return found !== undefined && found.event === digestAt(stored, sequence);
};

/** How many dead letters nobody has discarded. */
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

/** Digests of letters that were read before: a generation holds one event at a sequence for good, and letters are counted often. */
const digests = new WeakMap<Tables, Map<number, string>>();

const digestAt = (stored: Tables, sequence: number): string | undefined => {
  if (!stored.has(tables.deadLetters, sequence)) return undefined;
  const known = digests.get(stored) ?? new Map<number, string>();
  digests.set(stored, known);
  const letter = known.has(sequence) ? undefined : stored.get(tables.deadLetters, sequence);
  if (letter) known.set(sequence, digestOfLetter(letter));
  return known.get(sequence);
};
