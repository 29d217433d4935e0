import { isSameEvent, stampOf } from "../../../projections/field-group.ts";
import type { LogRecord } from "../../event-log/event-log.ts";
import type { ShopEvent } from "../../events/event.ts";
import { timeText } from "../../events/time.ts";
import type { Stamp } from "../../read-model/schema/rows.ts";
import type { Outcome, Telling, Writer } from "./explanation.ts";
import { changesOf } from "./field-changes.ts";
import { type GroupKind, unappliedBy } from "./field-groups.ts";

/** Effects of the events replayed so far on one group. */
export interface GroupTrace {
  readonly kind: GroupKind;
  readonly counts: Record<Outcome, number>;
  /** Effects of the latest events in the log, oldest first. */
  readonly tellings: Telling[];
  /** The latest applied event of each type: one of them wrote the resulting row. */
  readonly writers: Map<string, Writer>;
  /** Version stored in the model's row. */
  readonly sought: Stamp | undefined;
  /** The log's event of that version; undefined until the replay reaches it. */
  found: Writer | undefined;
}

export const newGroupTrace = (kind: GroupKind, storedVersion: Stamp | undefined): GroupTrace => ({
  kind,
  sought: storedVersion,
  found: undefined,
  counts: { applied: 0, superseded: 0, waiting: 0, stale: 0, repeated: 0 },
  tellings: [],
  writers: new Map(),
});

/** A group's row before and after an event. */
export interface Step {
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Records the effect of one event on a group.
 * @param limit maximum number of effects kept; all events are counted
 */
export const note = (
  group: GroupTrace,
  record: LogRecord,
  event: ShopEvent,
  change: Step,
  limit: number,
): void => {
  // A write creates a new object, even with equal content.
  const changed = change.before !== change.after;
  if (!group.kind.concerns(event, changed)) return;
  const writer = { sequence: record.sequence, ...writerOf(stampOf(event)) };
  const { type } = event;
  const effect = changed
    ? appliedEffect(group, event, change)
    : ignoredEffect(group, event, change.before);
  group.counts[effect.outcome] += 1;
  if (changed) group.writers.set(type, writer);
  const isSought = group.sought && isSameEvent(group.sought, stampOf(event));
  if (isSought && (changed || !group.found)) group.found = writer;
  const logTime = new Date(record.time).toISOString();
  keepNewest(group.tellings, { ...writer, logTime, type, ...effect }, limit);
};

type Effect = Pick<Telling, "outcome" | "changes" | "against">;

const appliedEffect = (group: GroupTrace, event: ShopEvent, { before, after }: Step): Effect => {
  const { kind } = group;
  const changes = changesOf(kind.fieldsOf(before), kind.fieldsOf(after));
  const current = kind.stampOf(after);
  if (kind.name === "core" && current === kind.stampOf(before)) {
    return { outcome: "waiting", changes, against: null };
  }
  const isSuperseded = kind.name === "price" && current && !isSameEvent(current, stampOf(event));
  return isSuperseded
    ? { outcome: "superseded", changes, against: findWriter(group, current) }
    : { outcome: "applied", changes, against: null };
};

const ignoredEffect = (group: GroupTrace, event: ShopEvent, row: unknown): Effect => {
  const { outcome, against } = unappliedBy(group.kind.rivals(row, event), event);
  return { outcome, changes: [], against: against ? findWriter(group, against) : null };
};

/**
 * Finds the replayed event of a version.
 * @returns an event without a sequence when the replay has not met it
 */
const findWriter = (group: GroupTrace, stamp: Stamp): Writer => {
  const time = timeText(stamp);
  const match = [...group.writers.values()].find(
    (writer) => writer.id === stamp.id && writer.time === time,
  );
  return match ?? { sequence: null, ...writerOf(stamp) };
};

export const writerOf = (stamp: Stamp): Omit<Writer, "sequence"> => ({
  id: stamp.id,
  time: timeText(stamp),
  version: stamp.sequence ?? null,
});

/** Appends an item and drops the oldest one when the list exceeds `limit`. */
export const keepNewest = <T>(list: T[], item: T, limit: number): void => {
  list.push(item);
  if (list.length > limit) list.shift();
};
