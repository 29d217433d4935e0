import type { Rendering } from "../../../projections/field-group.ts";
import type { EventLog, LogRecord } from "../../event-log/event-log.ts";
import { decode } from "../../events/decode.ts";
import type { Checkpoint, DeadLetter, Tally } from "../../read-model/schema/checkpoint.ts";
import type { Store } from "../../read-model/store/store.ts";
import { type Told, tell } from "../batch/apply-record.ts";
import { type Batch, type BatchTable, openBatch } from "../batch/unit-of-work.ts";
import { historyOf } from "./entity-history.ts";
import { type FoldUnit, unitNameOf } from "./replay-units.ts";

export interface RefoldWorld {
  readonly store: Store;
  readonly eventLog: EventLog;
  readonly rendering: Rendering;
  readonly checkpoint: Checkpoint;
}

/** Result of a replay. Nothing is written yet: `batch` holds the resulting rows. */
export interface Refolded {
  readonly batch: Batch;
  /** Outcome of each replayed dead letter, by sequence. */
  readonly retried: ReadonlyMap<number, Told>;
  /** Events accepted so far and rejected now, because of the replayed dead letters. */
  readonly refused: readonly DeadLetter[];
  /** Change in the number of events by outcome. */
  readonly tally: Tally;
  /** Latest event time among the replayed events, milliseconds since 1970. */
  readonly newest: number;
}

/** Replay of one unit, compared with a replay that leaves out the dead letters. */
interface EntityReplay {
  readonly unit: FoldUnit;
  readonly outcomes: Map<number, Told>;
  readonly newlyRejected: DeadLetter[];
  countChanges: Tally;
  latestEventTime: number;
}

/**
 * Replays all events and dead letters of some units, in log order, up to the checkpoint.
 * The result equals that of a rebuild. Where the log no longer yields the rows that the model holds, the dead letters are
 * applied to these rows instead.
 * @param deadLetters records of rejected events, by sequence, all of these units
 * @throws `projection` when a projection fails; `event_log`, `divergence` when the log cannot be read
 */
export const refold = async (
  context: RefoldWorld,
  units: readonly FoldUnit[],
  deadLetters: ReadonlyMap<number, LogRecord>,
): Promise<Refolded> => {
  const [current, baseline] = [openBatch(context.store), openBatch(context.store)];
  const replays = new Map(units.map((unit) => [unit.name, startReplay(unit, [current, baseline])]));
  const subjects = units.flatMap((unit) => unit.subjects);
  for await (const record of historyOf(
    context.eventLog,
    context.checkpoint,
    subjects,
    deadLetters,
  )) {
    const decoded = decode(record);
    const replay = decoded.ok && replays.get(unitNameOf(decoded.event.subject));
    if (!replay) continue;
    const outcome = tell(current, record, context.rendering, decoded);
    const isDeadLetter = deadLetters.has(record.sequence);
    const previous = isDeadLetter ? rejected : tell(baseline, record, context.rendering, decoded);
    recordOutcome(replay, record.sequence, previous, outcome, isDeadLetter);
  }
  const finished = [...replays.values()].map((replay) =>
    yieldsStoredRows(baseline, replay.unit)
      ? replay
      : applyOnCurrentRows(context, current, replay.unit, deadLetters),
  );
  return { batch: current, ...mergeReplays(finished) };
};

const zeroCounts: Tally = { applied: 0, stale: 0, repeated: 0, rejected: 0 };
const rejected = { counts: "rejected" } as const;

const startReplay = (unit: FoldUnit, batches: readonly Batch[]): EntityReplay => {
  for (const batch of batches)
    for (const { table, key } of unit.rows) trackedTable(batch, table).remove(key);
  return newReplay(unit);
};

const newReplay = (unit: FoldUnit): EntityReplay => ({
  unit,
  outcomes: new Map(),
  newlyRejected: [],
  countChanges: zeroCounts,
  latestEventTime: 0,
});

const trackedTable = (batch: Batch, table: keyof Batch): BatchTable<string | number, unknown> =>
  batch[table];

const recordOutcome = (
  replay: EntityReplay,
  sequence: number,
  previous: Pick<Told, "counts">,
  outcome: Told,
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
const yieldsStoredRows = (batch: Batch, unit: FoldUnit): boolean =>
  unit.rows.every(({ table, key }) => {
    const rows = trackedTable(batch, table);
    return JSON.stringify(rows.get(key)) === JSON.stringify(rows.before(key));
  });

const applyOnCurrentRows = (
  { rendering }: RefoldWorld,
  batch: Batch,
  unit: FoldUnit,
  deadLetters: ReadonlyMap<number, LogRecord>,
): EntityReplay => {
  for (const { table, key } of unit.rows) {
    const rows = trackedTable(batch, table);
    const row = rows.before(key);
    if (row === undefined) rows.remove(key);
    else rows.put(key, row);
  }
  const replay = newReplay(unit);
  for (const [sequence, record] of [...deadLetters].sort(([a], [b]) => a - b)) {
    const decoded = decode(record);
    if (!decoded.ok || unitNameOf(decoded.event.subject) !== unit.name) continue;
    recordOutcome(replay, sequence, rejected, tell(batch, record, rendering, decoded), true);
  }
  return replay;
};

const mergeReplays = (replays: readonly EntityReplay[]): Omit<Refolded, "batch"> => ({
  retried: new Map(replays.flatMap(({ outcomes }) => [...outcomes])),
  refused: replays.flatMap(({ newlyRejected }) => newlyRejected),
  tally: replays.map(({ countChanges }) => countChanges).reduce(addTally, zeroCounts),
  newest: Math.max(0, ...replays.map(({ latestEventTime }) => latestEventTime)),
});

export const addTally = (one: Tally, other: Tally): Tally => ({
  applied: one.applied + other.applied,
  stale: one.stale + other.stale,
  repeated: one.repeated + other.repeated,
  rejected: one.rejected + other.rejected,
});
