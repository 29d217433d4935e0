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

/** What folding some units again came to. Nothing is written yet: `batch` holds the rows that follow. */
export interface Refolded {
  readonly batch: Batch;
  /** How each dead letter that was retried ended, by sequence. */
  readonly retried: ReadonlyMap<number, Told>;
  /** Events that were fine until now and are refused now, because of what was retried. */
  readonly refused: readonly DeadLetter[];
  /** By how much more events met each end than before. */
  readonly tally: Tally;
  /** Newest event time folded, milliseconds since 1970. */
  readonly newest: number;
}

/** A unit on its way: what its events come to now, beside what they came to without the letters. */
interface Course {
  readonly unit: FoldUnit;
  readonly retried: Map<number, Told>;
  readonly refused: DeadLetter[];
  tally: Tally;
  newest: number;
}

/**
 * Folds every event of some units again from the log, up to the checkpoint, with dead letters among them in the
 * order of the log: what a rebuild would come to. Where the log does not tell any more what the model holds, the
 * letters are folded on top of that instead.
 * @param letters events that were refused, by sequence, all of them of these units
 * @throws `projection` when a projection fails; `event_log`, `divergence` as the log does
 */
export const refold = async (
  world: RefoldWorld,
  units: readonly FoldUnit[],
  letters: ReadonlyMap<number, LogRecord>,
): Promise<Refolded> => {
  const [now, before] = [openBatch(world.store), openBatch(world.store)];
  const courses = new Map(units.map((unit) => [unit.name, begin(unit, [now, before])]));
  const subjects = units.flatMap((unit) => unit.subjects);
  for await (const record of historyOf(world.eventLog, world.checkpoint, subjects, letters)) {
    const decoded = decode(record);
    const course = decoded.ok && courses.get(unitNameOf(decoded.event.subject));
    if (!course) continue;
    const told = tell(now, record, world.rendering, decoded);
    const isLetter = letters.has(record.sequence);
    const was = isLetter ? refusal : tell(before, record, world.rendering, decoded);
    note(course, record.sequence, was, told, isLetter);
  }
  const ends = [...courses.values()].map((course) =>
    isSame(before, course.unit) ? course : foldOnTop(world, now, course.unit, letters),
  );
  return { batch: now, ...sumOf(ends) };
};

const nothing: Tally = { applied: 0, stale: 0, repeated: 0, rejected: 0 };
const refusal = { counts: "rejected" } as const;

const begin = (unit: FoldUnit, batches: readonly Batch[]): Course => {
  for (const batch of batches)
    for (const { table, key } of unit.rows) rowsOf(batch, table).remove(key);
  return newCourse(unit);
};

const newCourse = (unit: FoldUnit): Course => ({
  unit,
  retried: new Map(),
  refused: [],
  tally: nothing,
  newest: 0,
});

const rowsOf = (batch: Batch, table: keyof Batch): BatchTable<string | number, unknown> =>
  batch[table];

const note = (
  course: Course,
  sequence: number,
  was: Pick<Told, "counts">,
  told: Told,
  isLetter: boolean,
): void => {
  if (isLetter) course.retried.set(sequence, told);
  else if (told.deadLetter) course.refused.push(told.deadLetter);
  course.newest = Math.max(course.newest, told.time);
  if (was.counts === told.counts) return;
  const { tally } = course;
  course.tally = {
    ...tally,
    [was.counts]: tally[was.counts] - 1,
    [told.counts]: tally[told.counts] + 1,
  };
};

/** Whether the log still tells all that the model holds of a unit. */
const isSame = (batch: Batch, unit: FoldUnit): boolean =>
  unit.rows.every(({ table, key }) => {
    const rows = rowsOf(batch, table);
    return JSON.stringify(rows.get(key)) === JSON.stringify(rows.before(key));
  });

const foldOnTop = (
  { rendering }: RefoldWorld,
  batch: Batch,
  unit: FoldUnit,
  letters: ReadonlyMap<number, LogRecord>,
): Course => {
  for (const { table, key } of unit.rows) {
    const rows = rowsOf(batch, table);
    const row = rows.before(key);
    if (row === undefined) rows.remove(key);
    else rows.put(key, row);
  }
  const course = newCourse(unit);
  for (const [sequence, record] of [...letters].sort(([a], [b]) => a - b)) {
    const decoded = decode(record);
    if (!decoded.ok || unitNameOf(decoded.event.subject) !== unit.name) continue;
    note(course, sequence, refusal, tell(batch, record, rendering, decoded), true);
  }
  return course;
};

const sumOf = (courses: readonly Course[]): Omit<Refolded, "batch"> => ({
  retried: new Map(courses.flatMap(({ retried }) => [...retried])),
  refused: courses.flatMap(({ refused }) => refused),
  tally: courses.map(({ tally }) => tally).reduce(addTally, nothing),
  newest: Math.max(0, ...courses.map(({ newest }) => newest)),
});

/** How many events met each end, of two countings together. */
export const addTally = (one: Tally, other: Tally): Tally => ({
  applied: one.applied + other.applied,
  stale: one.stale + other.stale,
  repeated: one.repeated + other.repeated,
  rejected: one.rejected + other.rejected,
});
