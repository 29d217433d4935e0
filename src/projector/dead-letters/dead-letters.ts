import type { HtmlRenderer } from "../../../projections/projection.ts";
import { VitrineError } from "../../errors.ts";
import type { EventLog } from "../../event-log/event-log.ts";
import {
  computeDeadLetterDigest,
  isDiscarded,
  readDiscards,
} from "../../read-model/operator/discards.ts";
import type { DiscardRow } from "../../read-model/operator/rows.ts";
import type { OperatorState } from "../../read-model/operator/state.ts";
import { addCounts, type Checkpoint, type DeadLetter } from "../../read-model/schema/checkpoint.ts";
import { tables } from "../../read-model/schema/tables.ts";
import { readCheckpoint, type Store, type WritableTables } from "../../read-model/store/store.ts";
import { assertCheckpointUnchanged } from "../advance-checkpoint.ts";
import type { RecordOutcome } from "../batch/apply-record.ts";
import { findDivergence } from "../continuity/continuity.ts";
import { derive } from "../derive/derive.ts";
import type { Generation } from "../open-generation.ts";
import { assertUpToDate } from "../projection-version.ts";
import { mapWriteError } from "../rebuild/replay.ts";
import { collectRevocations, flushUnitOfWork } from "../unit-of-work/unit-of-work.ts";
import { classify, loadRecords } from "./classify.ts";
import { type ReplayResult, replayEntities } from "./replay-entities.ts";
import { buildRetryReport, type RetryReport } from "./retry-report.ts";

export interface DiscardResult {
  /** Selected sequences, including those discarded earlier. */
  readonly discarded: readonly number[];
}

/**
 * Applies dead letters again, after their schema or projection was fixed.
 *
 * Replays all events and dead letters of the entities concerned in log order, so that the model equals that of a
 * rebuild. Where the log no longer holds an entity's history, its dead letters are applied to its current rows. One
 * transaction writes everything. An event that is rejected again stays a dead letter, with its new reason.
 *
 * Only the writer of the generation may call this, and only between batches.
 * @param sequences null for all open dead letters
 * @throws `usage` when there are too many dead letters; `unknown` when a sequence is no dead letter; `divergence` when
 * the log no longer continues the model; `event_log` when the log cannot be reached; `projection` when a projection
 * fails; `not_writable` when the model cannot be written or must be rebuilt first. Nothing is changed then.
 */
export const retryDeadLetters = async (
  generation: Generation,
  eventLog: EventLog,
  rendering: HtmlRenderer,
  operator: OperatorState,
  sequences: readonly number[] | null,
): Promise<RetryReport> => {
  const { store } = generation;
  store.refresh();
  const selected = selectDeadLetters(store, operator, sequences);
  const checkpoint = readCheckpoint(store);
  if (selected.length === 0 || !checkpoint) return { retried: [], refused: [] };
  assertUpToDate(store);
  await assertLogContinues(checkpoint, eventLog);
  const classified = classify(store, selected, checkpoint);
  const { units, deadLetters } = classified;
  const records = await loadRecords(eventLog, deadLetters, checkpoint);
  const replayed = await replayEntities({ store, eventLog, rendering, checkpoint }, units, records);
  const outcomes = new Map([...classified.undecodable, ...replayed.outcomes]);
  const accepted = [...outcomes]
    .filter(([, outcome]) => !outcome.deadLetter)
    .map(([sequence]) => sequence);
  // Operator state is written first: after a crash in between, the dead letter is open again and the token stays revoked.
  mapWriteError({ store: operator }, () => {
    operator.add(collectRevocations(replayed.batch));
    operator.removeDiscards(checkpoint.identity.name, accepted);
  });
  mapWriteError(generation, () =>
    store.transaction((stored) => writeReplay(stored, checkpoint, replayed, outcomes)),
  );
  return buildRetryReport([...selected, ...deadLetters], outcomes, replayed.newlyRejected);
};

/**
 * Marks dead letters as discarded: they stay stored and are no longer counted as open.
 * @param sequences null for all open dead letters
 * @throws `unknown` when a sequence is no dead letter; nothing is changed then
 */
export const discardDeadLetters = (
  { store }: Generation,
  operator: OperatorState,
  sequences: readonly number[] | null,
): DiscardResult => {
  store.refresh();
  const selected = selectSequences(store, operator, sequences);
  const log = readCheckpoint(store)?.identity.name;
  const rows = selected.flatMap((sequence): readonly DiscardRow[] => {
    const deadLetter = store.get(tables.deadLetters, sequence);
    if (!deadLetter || log === undefined) return [];
    const event = computeDeadLetterDigest(deadLetter);
    return [{ kind: "discard", log, sequence, event, time: Date.now() }];
  });
  mapWriteError({ store: operator }, () => operator.add(rows));
  return { discarded: selected };
};

/** A retry holds every dead letter in memory, body included, several times over. */
const maxRetried = 100_000;

const selectDeadLetters = (
  store: Store,
  operator: OperatorState,
  sequences: readonly number[] | null,
): readonly DeadLetter[] => {
  const selected = selectSequences(store, operator, sequences);
  if (selected.length <= maxRetried) {
    return selected.flatMap((sequence) => store.get(tables.deadLetters, sequence) ?? []);
  }
  throw new VitrineError(
    "usage",
    `${selected.length} dead letters are more than can be retried at once (${maxRetried})`,
    "name fewer, or run vitrine rebuild, which applies all of them again",
  );
};

const selectSequences = (
  store: Store,
  operator: OperatorState,
  sequences: readonly number[] | null,
): readonly number[] => {
  if (sequences === null) {
    const discards = readDiscards(store, operator);
    return [...store.keys(tables.deadLetters)].filter(
      (sequence) => !isDiscarded(store, discards, sequence),
    );
  }
  for (const sequence of sequences) {
    if (store.has(tables.deadLetters, sequence)) continue;
    throw new VitrineError(
      "unknown",
      `there is no dead letter with sequence ${sequence}`,
      "vitrine dead-letters list shows all",
    );
  }
  return [...new Set(sequences)];
};

const assertLogContinues = async (checkpoint: Checkpoint, eventLog: EventLog): Promise<void> => {
  const divergence = await findDivergence(checkpoint, eventLog);
  if (!divergence) return;
  throw new VitrineError(
    "divergence",
    `nothing can be retried: ${divergence.reason}`,
    "rebuild the model first (vitrine rebuild), which applies every event again",
  );
};

const writeReplay = (
  stored: WritableTables,
  checkpoint: Checkpoint,
  { batch, newlyRejected, countChanges, latestEventTime }: ReplayResult,
  outcomes: ReadonlyMap<number, RecordOutcome>,
): void => {
  assertCheckpointUnchanged(stored, checkpoint);
  const remaining = [
    ...newlyRejected,
    ...[...outcomes.values()].flatMap((outcome) => outcome.deadLetter ?? []),
  ];
  for (const deadLetter of remaining)
    stored.put(tables.deadLetters, deadLetter.sequence, deadLetter);
  const accepted = [...outcomes].filter(([, outcome]) => !outcome.deadLetter);
  for (const [sequence] of accepted) stored.remove(tables.deadLetters, sequence);
  flushUnitOfWork(batch, stored);
  // Contract §11: the sequences of replayed events are in the past of each follower.
  const to = checkpoint.sequence + 1;
  batch.joinChanges(to);
  derive(batch, stored, { deadLetters: newlyRejected.length - accepted.length, to });
  stored.put(tables.meta, "checkpoint", {
    ...checkpoint,
    lastEventTime: Math.max(checkpoint.lastEventTime, latestEventTime),
    tally: addCounts(checkpoint.tally, countChanges),
    retries: (checkpoint.retries ?? 0) + 1,
  });
};
