import { isSameEvent, stampOf } from "../../../projections/field-group.ts";
import type { LogRecord } from "../../event-log/event-log.ts";
import type { ShopEvent } from "../../events/event.ts";
import { timeText } from "../../events/time.ts";
import type { Stamp } from "../../read-model/schema/rows.ts";
import type { Outcome, Telling, Writer } from "./explanation.ts";
import { changesOf } from "./field-changes.ts";
import { type GroupKind, unappliedBy } from "./field-groups.ts";

/** What the events so far told of one group. */
export interface GroupTrace {
  readonly kind: GroupKind;
  readonly counts: Record<Outcome, number>;
  /** The newest in the log, oldest first. */
  readonly tellings: Telling[];
  /** The newest event of each type that was applied: one of them wrote the row that follows. */
  readonly writers: Map<string, Writer>;
  /** Who wrote the model's row, as the row says. */
  readonly sought: Stamp | undefined;
  /** The same event in the log, once it was seen there. */
  found: Writer | undefined;
}

export const newGroupTrace = (kind: GroupKind, sought: Stamp | undefined): GroupTrace => ({
  kind,
  sought,
  found: undefined,
  counts: { applied: 0, superseded: 0, waiting: 0, stale: 0, repeated: 0 },
  tellings: [],
  writers: new Map(),
});

/** The group's row before an event and after it. */
export interface Step {
  readonly before: unknown;
  readonly after: unknown;
}

/** @param limit how many events are kept; all are counted */
export const note = (
  group: GroupTrace,
  record: LogRecord,
  event: ShopEvent,
  step: Step,
  limit: number,
): void => {
  // A row that was written is another object, even when it says the same.
  const changed = step.before !== step.after;
  if (!group.kind.concerns(event, changed)) return;
  const writer = { sequence: record.sequence, ...writerOf(stampOf(event)) };
  const { type } = event;
  const told = changed ? applied(group, event, step) : unapplied(group, event, step.before);
  group.counts[told.outcome] += 1;
  if (changed) group.writers.set(type, writer);
  const isSought = group.sought && isSameEvent(group.sought, stampOf(event));
  if (isSought && (changed || !group.found)) group.found = writer;
  const logTime = new Date(record.time).toISOString();
  keepNewest(group.tellings, { ...writer, logTime, type, ...told }, limit);
};

type How = Pick<Telling, "outcome" | "changes" | "against">;

const applied = (
  { kind, ...group }: GroupTrace,
  event: ShopEvent,
  { before, after }: Step,
): How => {
  const changes = changesOf(kind.fieldsOf(before), kind.fieldsOf(after));
  const counts = kind.stampOf(after);
  if (kind.name === "core" && counts === kind.stampOf(before)) {
    return { outcome: "waiting", changes, against: null };
  }
  const isBehind = kind.name === "price" && counts && !isSameEvent(counts, stampOf(event));
  return isBehind
    ? { outcome: "superseded", changes, against: writtenWith(group, counts) }
    : { outcome: "applied", changes, against: null };
};

const unapplied = (group: GroupTrace, event: ShopEvent, row: unknown): How => {
  const { outcome, against } = unappliedBy(group.kind.rivals(row, event), event);
  return { outcome, changes: [], against: against ? writtenWith(group, against) : null };
};

/** Without a place in the log when the event was not seen there. */
const writtenWith = ({ writers }: Pick<GroupTrace, "writers">, stamp: Stamp): Writer => {
  const time = timeText(stamp);
  const same = [...writers.values()].find((known) => known.id === stamp.id && known.time === time);
  return same ?? { sequence: null, ...writerOf(stamp) };
};

export const writerOf = (stamp: Stamp): Omit<Writer, "sequence"> => ({
  id: stamp.id,
  time: timeText(stamp),
  version: stamp.sequence ?? null,
});

/** Drops the oldest where there are more than `limit`. */
export const keepNewest = <T>(list: T[], one: T, limit: number): void => {
  list.push(one);
  if (list.length > limit) list.shift();
};
