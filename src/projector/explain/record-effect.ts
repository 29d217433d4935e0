import { isSameEvent, isStale, versionOf } from "../../../projections/field-group.ts";
import type { LogRecord } from "../../event-log/event-log.ts";
import type { ShopEvent } from "../../events/event.ts";
import { formatEventTime } from "../../events/time.ts";
import type { EventVersion } from "../../read-model/schema/rows.ts";
import type { EffectOutcome, EventEffect, EventRef } from "./explanation.ts";
import { diffFields } from "./field-changes.ts";
import type { FieldGroupKind } from "./field-groups.ts";

/** Effects of the events replayed so far on one group. */
export interface GroupTrace {
  readonly kind: FieldGroupKind;
  readonly counts: Record<EffectOutcome, number>;
  /** Effects of the latest events in the log, oldest first. */
  readonly effects: EventEffect[];
  /** The latest applied event of each type: one of them wrote the resulting row. */
  readonly latestApplied: Map<string, EventRef>;
  readonly storedVersion: EventVersion | undefined;
  /** The log's event of that version; undefined until the replay reaches it. */
  storedWriter: EventRef | undefined;
}

export const newGroupTrace = (
  kind: FieldGroupKind,
  storedVersion: EventVersion | undefined,
): GroupTrace => ({
  kind,
  storedVersion,
  storedWriter: undefined,
  counts: { applied: 0, superseded: 0, waiting: 0, stale: 0, repeated: 0 },
  effects: [],
  latestApplied: new Map(),
});

export interface RowChange {
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Records the effect of one event on a group.
 * @param limit maximum number of effects kept; all events are counted
 */
export const recordEffect = (
  group: GroupTrace,
  record: LogRecord,
  event: ShopEvent,
  change: RowChange,
  limit: number,
): void => {
  // A write creates a new object, even with equal content.
  const changed = change.before !== change.after;
  if (!group.kind.concerns(event, changed, change.before)) return;
  const writer = { sequence: record.sequence, ...toEventRef(versionOf(event)) };
  const { type } = event;
  const effect = changed
    ? appliedEffect(group, event, change)
    : ignoredEffect(group, event, change.before);
  group.counts[effect.outcome] += 1;
  if (changed) group.latestApplied.set(type, writer);
  const isSought = group.storedVersion && isSameEvent(group.storedVersion, versionOf(event));
  if (isSought && (changed || !group.storedWriter)) group.storedWriter = writer;
  const logTime = new Date(record.time).toISOString();
  pushBounded(group.effects, { ...writer, logTime, type, ...effect }, limit);
};

type Effect = Pick<EventEffect, "outcome" | "changes" | "against">;

const appliedEffect = (
  group: GroupTrace,
  event: ShopEvent,
  { before, after }: RowChange,
): Effect => {
  const { kind } = group;
  const changes = diffFields(kind.readFields(before), kind.readFields(after));
  const current = kind.readVersion(after);
  if (kind.name === "core" && current === kind.readVersion(before)) {
    return { outcome: "waiting", changes, against: null };
  }
  const isSuperseded = kind.name === "price" && current && !isSameEvent(current, versionOf(event));
  return isSuperseded
    ? { outcome: "superseded", changes, against: findWriter(group, current) }
    : { outcome: "applied", changes, against: null };
};

const ignoredEffect = (group: GroupTrace, event: ShopEvent, row: unknown): Effect => {
  const [version, others] = [versionOf(event), group.kind.competingVersions(row, event)];
  const newer = others.find((other) => isStale(version, other));
  const against = newer ?? others.find((other) => isSameEvent(other, version));
  return {
    outcome: newer ? "stale" : "repeated",
    changes: [],
    against: against ? findWriter(group, against) : null,
  };
};

/**
 * Finds the replayed event of a version.
 * @returns an event without a sequence when the replay has not met it
 */
const findWriter = (group: GroupTrace, version: EventVersion): EventRef => {
  const time = formatEventTime(version);
  const match = [...group.latestApplied.values()].find(
    (writer) => writer.id === version.id && writer.time === time,
  );
  return match ?? { sequence: null, ...toEventRef(version) };
};

export const toEventRef = (version: EventVersion): Omit<EventRef, "sequence"> => ({
  id: version.id,
  time: formatEventTime(version),
  version: version.sequence ?? null,
});

/** Appends an item and drops the oldest one when the list exceeds `limit`. */
export const pushBounded = <T>(list: T[], item: T, limit: number): void => {
  list.push(item);
  if (list.length > limit) list.shift();
};
