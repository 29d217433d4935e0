import type { Rendering } from "../../../projections/field-group.ts";
import { VitrineError } from "../../errors.ts";
import type { EventLog } from "../../event-log/event-log.ts";
import { digestOfLetter } from "../../read-model/operator/dead-letter-digest.ts";
import { discardsFor, isDiscarded } from "../../read-model/operator/discards.ts";
import type { DiscardRow } from "../../read-model/operator/rows.ts";
import type { OperatorState } from "../../read-model/operator/state.ts";
import type { Checkpoint, DeadLetter } from "../../read-model/schema/checkpoint.ts";
import { tables } from "../../read-model/schema/tables.ts";
import type { Store, WritableTables } from "../../read-model/store/store.ts";
import { mustStandAt } from "../advance-checkpoint.ts";
import type { Told } from "../batch/apply-record.ts";
import { flushBatch } from "../batch/unit-of-work.ts";
import { checkLog } from "../continuity.ts";
import { derive } from "../derive/derive.ts";
import type { Generation } from "../open-generation.ts";
import { mustBeUpToDate } from "../projection-version.ts";
import { write } from "../rebuild/replay.ts";
import { revocationsIn } from "../revocations.ts";
import { recordsOf, sortOut } from "./classify.ts";
import { addTally, type Refolded, refold } from "./replay-entities.ts";
import { type Retrial, retrialOf } from "./retry-report.ts";

export interface Discarded {
  /** Sequences that are no longer counted as open, those discarded earlier among them. */
  readonly discarded: readonly number[];
}

/**
 * Folds dead letters again, as when the schema or the projection that refused them was mended. All events of the
 * entities concerned are folded again in the order of the log, all their letters among them, so that the model is
 * what a rebuild would make; where the log no longer holds an entity's history, its letters are folded on top of
 * what the model knows. All in one transaction; a letter that is refused again stays, with its reason of now.
 * Only for the one writer of the generation, between batches.
 * @param sequences null for all that are open
 * @throws `usage` when one is no dead letter; `divergence` when the log no longer continues the model;
 * `event_log` when it cannot be reached; `projection` when a projection fails; `not_writable` when the model cannot be
 * written, or has to be made anew first. Nothing is changed then.
 */
export const retryDeadLetters = async (
  generation: Generation,
  eventLog: EventLog,
  rendering: Rendering,
  operator: OperatorState,
  sequences: readonly number[] | null,
): Promise<Retrial> => {
  const { store } = generation;
  store.refresh();
  const chosen = chosenLetters(store, operator, sequences);
  const checkpoint = store.get(tables.meta, "checkpoint");
  if (chosen.length === 0 || !checkpoint) return { retried: [], refused: [] };
  mustBeUpToDate(store);
  await mustContinueModel(checkpoint, eventLog);
  const { units, letters, unreadable } = sortOut(store, chosen, checkpoint);
  const records = await recordsOf(eventLog, letters, checkpoint);
  const refolded = await refold({ store, eventLog, rendering, checkpoint }, units, records);
  const ends = new Map([...unreadable, ...refolded.retried]);
  const accepted = [...ends].filter(([, told]) => !told.deadLetter).map(([sequence]) => sequence);
  // First, as after a crash in between a letter is better open than hidden, and a token better dead than alive.
  write({ store: operator }, () => {
    operator.add(revocationsIn(refolded.batch));
    operator.removeDiscards(checkpoint.identity.name, accepted);
  });
  write(generation, () => store.transaction((stored) => keep(stored, checkpoint, refolded, ends)));
  return retrialOf([...chosen, ...letters], ends, refolded.refused);
};

/**
 * Has done with dead letters: they stay, and are no longer counted as open.
 * @param sequences null for all that are open
 * @throws `usage` when one is no dead letter; nothing is changed then
 */
export const discardDeadLetters = (
  { store }: Generation,
  operator: OperatorState,
  sequences: readonly number[] | null,
): Discarded => {
  store.refresh();
  const chosen = chosenSequences(store, operator, sequences);
  const log = store.get(tables.meta, "checkpoint")?.identity.name;
  const rows = chosen.flatMap((sequence): readonly DiscardRow[] => {
    const letter = store.get(tables.deadLetters, sequence);
    if (!letter || log === undefined) return [];
    return [{ kind: "discard", log, sequence, event: digestOfLetter(letter), time: Date.now() }];
  });
  write({ store: operator }, () => operator.add(rows));
  return { discarded: chosen };
};

/** Letters that are tried again in one go: each is held whole, several times over. */
const mostRetried = 100_000;

const chosenLetters = (
  store: Store,
  operator: OperatorState,
  sequences: readonly number[] | null,
): readonly DeadLetter[] => {
  const chosen = chosenSequences(store, operator, sequences);
  if (chosen.length <= mostRetried) {
    return chosen.flatMap((sequence) => store.get(tables.deadLetters, sequence) ?? []);
  }
  throw new VitrineError(
    "usage",
    `${chosen.length} dead letters are more than can be tried again in one go (${mostRetried})`,
    "vitrine rebuild folds all of them again; or name some",
  );
};

const chosenSequences = (
  store: Store,
  operator: OperatorState,
  sequences: readonly number[] | null,
): readonly number[] => {
  if (sequences === null) {
    const discards = discardsFor(store, operator);
    return [...store.keys(tables.deadLetters)].filter(
      (sequence) => !isDiscarded(store, discards, sequence),
    );
  }
  for (const sequence of sequences) {
    if (store.has(tables.deadLetters, sequence)) continue;
    throw new VitrineError(
      "unknown",
      `there is no dead letter with sequence ${sequence}`,
      "vitrine dead-letters list shows those there are",
    );
  }
  return [...new Set(sequences)];
};

const mustContinueModel = async (checkpoint: Checkpoint, eventLog: EventLog): Promise<void> => {
  const divergence = await checkLog(checkpoint, eventLog);
  if (!divergence) return;
  throw new VitrineError(
    "divergence",
    `nothing can be retried: ${divergence.reason}`,
    "have the model rebuilt first: that folds every event again",
  );
};

const keep = (
  stored: WritableTables,
  checkpoint: Checkpoint,
  { batch, refused, tally, newest }: Refolded,
  ends: ReadonlyMap<number, Told>,
): void => {
  mustStandAt(stored, checkpoint);
  const standing = [...refused, ...[...ends.values()].flatMap((told) => told.deadLetter ?? [])];
  for (const letter of standing) stored.put(tables.deadLetters, letter.sequence, letter);
  const accepted = [...ends].filter(([, told]) => !told.deadLetter);
  for (const [sequence] of accepted) stored.remove(tables.deadLetters, sequence);
  flushBatch(batch, stored);
  derive(batch, stored, refused.length - accepted.length);
  stored.put(tables.meta, "checkpoint", {
    ...checkpoint,
    lastEventTime: Math.max(checkpoint.lastEventTime, newest),
    tally: addTally(checkpoint.tally, tally),
    retries: (checkpoint.retries ?? 0) + 1,
  });
};
