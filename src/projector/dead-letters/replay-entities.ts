import type { EntityTable, HtmlRenderer } from "../../../projections/projection.ts";
import type { EntityKey } from "../../../projections/subjects.ts";
import type { EventLog, LogRecord } from "../../event-log/event-log.ts";
import { decode } from "../../events/decode.ts";
import { deepEqual } from "../../platform/deep-equal.ts";
import {
  addCounts,
  type Checkpoint,
  type DeadLetter,
  type EventCounts,
  noEvents,
} from "../../read-model/schema/checkpoint.ts";
import { tables } from "../../read-model/schema/tables.ts";
import type { Store } from "../../read-model/store/store.ts";
import { applyRecord, type RecordOutcome } from "../batch/apply-record.ts";
import {
  openUnitOfWork,
  renderUnitOfWork,
  tableNamed,
  type UnitOfWork,
} from "../unit-of-work/unit-of-work.ts";
import { readEntityHistory } from "./entity-history.ts";
import { type KeyRange, type ReplayUnit, replayUnitName } from "./replay-units.ts";

export interface EntityReplayContext {
  readonly store: Store;
  readonly eventLog: EventLog;
  readonly rendering: HtmlRenderer;
  readonly checkpoint: Checkpoint;
}

/** Result of a replay. Nothing is written yet: `batch` holds the resulting rows, rendered. */
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
  const replays = new Map(
    units.map((unit) => [unit.name, startReplay(context, unit, [current, baseline])]),
  );
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
  renderUnitOfWork(baseline, context.rendering);
  const finished = [...replays.values()].map((replay) =>
    yieldsStoredRows(context, baseline, replay.unit)
      ? replay
      : applyOnCurrentRows(context, current, replay.unit, deadLetters),
  );
  renderUnitOfWork(current, context.rendering);
  return { batch: current, ...mergeReplays(finished) };
};

const rejected = { counts: "rejected" } as const;

const startReplay = (
  { store }: EntityReplayContext,
  unit: ReplayUnit,
  batches: readonly UnitOfWork[],
): EntityReplay => {
  for (const batch of batches) {
    for (const { rows, keys } of rowsOf(store, batch, unit)) keys.forEach(rows.remove);
  }
  return newReplay(unit);
};

const newReplay = (unit: ReplayUnit): EntityReplay => ({
  unit,
  outcomes: new Map(),
  newlyRejected: [],
  countChanges: noEvents,
  latestEventTime: 0,
});

/** Lists the rows of a unit in each table, with their keys before and after the batch. */
const rowsOf = (store: Store, batch: UnitOfWork, unit: ReplayUnit) =>
  [...unit.tables].map((table) => {
    const { key, variants } = unit;
    const rows = tableNamed(batch, table);
    const keys = new Set<EntityKey>(table === "variantStates" ? [] : [key]);
    if (variants) {
      for (const variant of readVariantKeys(store, table, variants)) keys.add(variant);
      for (const changed of rows.changedKeys()) if (isWithin(changed, variants)) keys.add(changed);
    }
    return { rows, keys: [...keys] };
  });

const readVariantKeys = (
  store: Store,
  table: EntityTable,
  range: KeyRange,
): Iterable<EntityKey> => {
  switch (table) {
    case "prices":
      return store.keys(tables.prices, range);
    case "variantStates":
      return store.keys(tables.variantStates, range);
    default:
      return [];
  }
};

const isWithin = (key: EntityKey, { start, end }: KeyRange): boolean =>
  typeof key === "string" && key >= start && key < end;

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
const yieldsStoredRows = (
  { store }: EntityReplayContext,
  batch: UnitOfWork,
  unit: ReplayUnit,
): boolean =>
  rowsOf(store, batch, unit).every(({ rows, keys }) =>
    keys.every((key) => deepEqual(rows.get(key), rows.original(key))),
  );

const applyOnCurrentRows = (
  { rendering, store }: EntityReplayContext,
  batch: UnitOfWork,
  unit: ReplayUnit,
  deadLetters: ReadonlyMap<number, LogRecord>,
): EntityReplay => {
  for (const { rows, keys } of rowsOf(store, batch, unit)) keys.forEach(rows.restore);
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
  countChanges: replays.map(({ countChanges }) => countChanges).reduce(addCounts, noEvents),
  latestEventTime: Math.max(0, ...replays.map(({ latestEventTime }) => latestEventTime)),
});
