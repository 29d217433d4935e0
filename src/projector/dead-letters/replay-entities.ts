import type { HtmlRenderer } from "../../../projections/field-group.ts";
import type { EventLog, LogRecord } from "../../event-log/event-log.ts";
import { decode } from "../../events/decode.ts";
import type { Checkpoint, DeadLetter, EventCounts } from "../../read-model/schema/checkpoint.ts";
import type { Store } from "../../read-model/store/store.ts";
import { applyRecord, type RecordOutcome } from "../batch/apply-record.ts";
import { openUnitOfWork, type TrackedTable, type UnitOfWork } from "../batch/unit-of-work.ts";
import { readEntityHistory } from "./entity-history.ts";
import { type ReplayUnit, replayUnitName } from "./replay-units.ts";

export interface EntityReplayContext {
  readonly store: Store;
  readonly eventLog: EventLog;
  readonly rendering: HtmlRenderer;
  readonly checkpoint: Checkpoint;
}

/** Result of a replay. Nothing is written yet: `batch` holds the resulting rows. */
export interface ReplayResult {
  readonly batch: UnitOfWork;
  /** Outcome of each replayed dead letter, by sequence. */
  readonly outcomes: ReadonlyMap<number, RecordOutcome>;
  /** Events accepted so far and rejected now, because of the replayed dead letters. */
  readonly newlyRejected: readonly DeadLetter[];
  /** Change in the number of events by outcome. */
  readonly countChanges: EventCounts;
  /** Latest event time among the replayed events, milliseconds since 1970. */
  readonly latestEventTime: number;
}

/** Replay of one unit, compared with a replay that leaves out the dead letters. */
interface EntityReplay {
  readonly unit: ReplayUnit;
  readonly outcomes: Map<number, RecordOutcome>;
  readonly newlyRejected: DeadLetter[];
  countChanges: EventCounts;
  latestEventTime: number;
}

/**
 * Replays all events and dead letters of some units, in log order, up to the checkpoint.
 * The result equals that of a rebuild. Where the log no longer yields the rows that the model holds, the dead letters are
 * applied to these rows instead.
 * @param deadLetters records of rejected events, by sequence, all of these units
 * @throws `projection` when a projection fails; `event_log`, `divergence` when the log cannot be read
 */
export const replayEntities = async (
  context: EntityReplayContext,
  units: readonly ReplayUnit[],
  deadLetters: ReadonlyMap<number, LogRecord>,
): Promise<ReplayResult> => {
  const [current, baseline] = [openUnitOfWork(context.store), openUnitOfWork(context.store)];
  const replays = new Map(units.map((unit) => [unit.name, startReplay(unit, [current, baseline])]));
  const subjects = units.flatMap((unit) => unit.subjects);
  for await (const record of readEntityHistory(
    context.eventLog,
    context.checkpoint,
    subjects,
    deadLetters,
  )) {
    const decoded = decode(record);
    const replay = decoded.ok && replays.get(replayUnitName(decoded.event.subject));
    if (!replay) continue;
    const outcome = applyRecord(current, record, context.rendering, decoded);
    const isDeadLetter = deadLetters.has(record.sequence);
    const previous = isDeadLetter
      ? rejected
      : applyRecord(baseline, record, context.rendering, decoded);
    recordOutcome(replay, record.sequence, previous, outcome, isDeadLetter);
  }
  const finished = [...replays.values()].map((replay) =>
    yieldsStoredRows(baseline, replay.unit)
      ? replay
      : applyOnCurrentRows(context, current, replay.unit, deadLetters),
  );
  return { batch: current, ...mergeReplays(finished) };
};

const zeroCounts: EventCounts = { applied: 0, stale: 0, repeated: 0, rejected: 0 };
const rejected = { counts: "rejected" } as const;

const startReplay = (unit: ReplayUnit, batches: readonly UnitOfWork[]): EntityReplay => {
  for (const batch of batches)
    for (const { table, key } of unit.rows) trackedTable(batch, table).remove(key);
  return newReplay(unit);
};

const newReplay = (unit: ReplayUnit): EntityReplay => ({
  unit,
  outcomes: new Map(),
  newlyRejected: [],
  countChanges: zeroCounts,
  latestEventTime: 0,
});

const trackedTable = (
  batch: UnitOfWork,
  table: keyof UnitOfWork,
): TrackedTable<string | number, unknown> => batch[table];

const recordOutcome = (
  replay: EntityReplay,
  sequence: number,
  previous: Pick<RecordOutcome, "counts">,
  outcome: RecordOutcome,
  isDeadLetter: boolean,
): void => {
  if (isDeadLetter) replay.outcomes.set(sequence, outcome);
  else if (outcome.deadLetter) replay.newlyRejected.push(outcome.deadLetter);
  replay.latestEventTime = Math.max(replay.latestEventTime, outcome.time);
  if (previous.counts === outcome.counts) return;
  const { countChanges } = replay;
  replay.countChanges = {
    ...countChanges,
    [previous.counts]: countChanges[previous.counts] - 1,
    [outcome.counts]: countChanges[outcome.counts] + 1,
  };
};

/** Checks whether the log still yields the rows that the model holds of a unit. */
const yieldsStoredRows = (batch: UnitOfWork, unit: ReplayUnit): boolean =>
  unit.rows.every(({ table, key }) => {
    const rows = trackedTable(batch, table);
    return JSON.stringify(rows.get(key)) === JSON.stringify(rows.original(key));
  });

const applyOnCurrentRows = (
  { rendering }: EntityReplayContext,
  batch: UnitOfWork,
  unit: ReplayUnit,
  deadLetters: ReadonlyMap<number, LogRecord>,
): EntityReplay => {
  for (const { table, key } of unit.rows) {
    const rows = trackedTable(batch, table);
    const row = rows.original(key);
    if (row === undefined) rows.remove(key);
    else rows.put(key, row);
  }
  const replay = newReplay(unit);
  for (const [sequence, record] of [...deadLetters].sort(([a], [b]) => a - b)) {
    const decoded = decode(record);
    if (!decoded.ok || replayUnitName(decoded.event.subject) !== unit.name) continue;
    recordOutcome(replay, sequence, rejected, applyRecord(batch, record, rendering, decoded), true);
  }
  return replay;
};

const mergeReplays = (replays: readonly EntityReplay[]): Omit<ReplayResult, "batch"> => ({
  outcomes: new Map(replays.flatMap(({ outcomes }) => [...outcomes])),
  newlyRejected: replays.flatMap(({ newlyRejected }) => newlyRejected),
  countChanges: replays.map(({ countChanges }) => countChanges).reduce(addEventCounts, zeroCounts),
  latestEventTime: Math.max(0, ...replays.map(({ latestEventTime }) => latestEventTime)),
});

export const addEventCounts = (one: EventCounts, other: EventCounts): EventCounts => ({
  applied: one.applied + other.applied,
  stale: one.stale + other.stale,
  repeated: one.repeated + other.repeated,
  rejected: one.rejected + other.rejected,
});
