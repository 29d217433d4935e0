import type { ShopEvent } from "../src/events/event.ts";
import { compareTimes } from "../src/events/time.ts";
import { deepEqual } from "../src/platform/deep-equal.ts";
import type { EventVersion, FieldGroup } from "../src/read-model/schema/rows.ts";
import type { EvolveResult } from "./projection.ts";

export const versionOf = ({ id, time, subMillis, sequence }: ShopEvent): EventVersion => {
  const version = sequence === undefined ? { id, time } : { id, time, sequence };
  return subMillis === undefined ? version : { ...version, subMillis };
};

/**
 * Checks whether an event is stale: an event before it in the log has a higher version (Contract §2). Compares the shop's
 * `sequence` where both events have one, else the times. On a tie the event is not stale, so the later in the log wins.
 * @param current version of the event before it in the log, of the same entity and field group
 */
export const isStale = (incoming: EventVersion, current: EventVersion): boolean => {
  const comparison =
    current.sequence !== undefined && incoming.sequence !== undefined
      ? compareSequences(incoming.sequence, current.sequence)
      : compareTimes(incoming, current);
  return comparison < 0;
};

const digits = /^\d+$/;

/** Compares as integers of any length when both are digits, else by code unit. */
const compareSequences = (a: string, b: string): number => {
  if (a === b) return 0;
  // Digit strings of equal length sort by code unit as they do by value.
  if (a.length === b.length || !digits.test(a) || !digits.test(b)) return a > b ? 1 : -1;
  const [left, right] = [trimLeadingZeros(a), trimLeadingZeros(b)];
  if (left.length !== right.length) return left.length - right.length;
  return left === right ? 0 : left > right ? 1 : -1;
};

const trimLeadingZeros = (number: string): string =>
  number.startsWith("0") ? number.replace(/^0+/, "") : number;

/**
 * Folds new content into a field group; the newest version wins.
 * @param content null writes a tombstone, so that a late older event cannot restore the entity
 * @param listChanges lists the instants at which the content dates pages without an event
 */
export const evolveFieldGroup = <C>(
  current: FieldGroup<C> | null | undefined,
  version: EventVersion,
  content: C | null,
  listChanges: (content: C) => readonly number[] = () => [],
): EvolveResult<FieldGroup<C>> => {
  if (current && isStale(version, current.version)) return { outcome: "stale" };
  const isUnchanged = current ? deepEqual(current.content, content) : false;
  if (current && isUnchanged && isSameEvent(current.version, version))
    return { outcome: "repeated" };
  const contentChangedAt = computeChangedAt(current, isUnchanged, version);
  const replaced = isUnchanged || !current?.content ? [] : listChanges(current.content);
  const past = keepPastChanges(current?.pastChangesAt, replaced, version, contentChangedAt);
  // The same object, so that later comparisons are short.
  const kept = current && isUnchanged ? current.content : content;
  return { outcome: "applied", row: { version, contentChangedAt, content: kept, ...past } };
};

/** Computes `contentChangedAt`, which never decreases: an event can win by its `sequence` and have an earlier time. */
export const computeChangedAt = (
  current: { readonly contentChangedAt: number } | null | undefined,
  isUnchanged: boolean,
  { time }: EventVersion,
): number =>
  isUnchanged && current
    ? current.contentChangedAt
    : Math.max(current?.contentChangedAt ?? time, time);

/** Keeps instants up to an hour after an event that replaced them: they had passed if it came late, and a date never goes back. */
export const keepPastChanges = (
  past: readonly number[] | undefined,
  replaced: readonly number[],
  { time }: EventVersion,
  contentChangedAt: number,
): Pick<FieldGroup<unknown>, "pastChangesAt"> => {
  if (!past && replaced.length === 0) return {};
  const kept = new Set([
    ...(past ?? []),
    ...replaced.filter((instant) => instant <= time + maxLateMs),
  ]);
  const pastChangesAt = [...kept].filter((instant) => instant > contentChangedAt);
  return pastChangesAt.length > 0 ? { pastChangesAt } : {};
};

const maxLateMs = 60 * 60 * 1000;

/**
 * Compares the versions of two events. Ids are unique per source only, so callers compare the contents too, and only
 * the counters depend on the result.
 */
export const isSameEvent = (one: EventVersion, other: EventVersion): boolean =>
  one.id === other.id && one.sequence === other.sequence && compareTimes(one, other) === 0;
