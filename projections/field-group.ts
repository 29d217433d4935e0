import type { ShopEvent } from "../src/events/event.ts";
import { compareTimes } from "../src/events/time.ts";
import type { Group, Stamp } from "../src/read-model/schema/rows.ts";

/** What an event did to the row it is about. */
export type Evolved<R> =
  | { readonly outcome: "applied"; readonly row: R }
  /** Older than what is known: counted, and nothing changes. */
  | { readonly outcome: "stale" }
  /** The very event that wrote the row, told again. */
  | { readonly outcome: "repeated" }
  /** Well-formed but impossible: becomes a dead letter. */
  | { readonly outcome: "refused"; readonly reason: string; readonly field: string };

/** HTML to text and Markdown: done by the projector, once, and only when the HTML changed. */
export interface Rendering {
  /** A short fingerprint of the HTML. */
  fingerprint(html: string): string;
  /** A name or another short text without the characters nobody sees. */
  plain(text: string): string;
  text(html: string): string | null;
  markdown(html: string): string;
  /** First paragraph as plain text. */
  summary(html: string): string | null;
}

export const stampOf = ({ id, time, subMillis, sequence }: ShopEvent): Stamp => {
  const stamp = sequence === undefined ? { id, time } : { id, time, sequence };
  return subMillis === undefined ? stamp : { ...stamp, subMillis };
};

/**
 * Which of two events of one entity and field group counts (contract section 2): by the shop's `sequence` when
 * both have one, else by time, else the later one in the log.
 */
export const compareStamps = (current: Stamp, incoming: Stamp): "newer" | "stale" => {
  const comparison =
    current.sequence !== undefined && incoming.sequence !== undefined
      ? compareSequences(incoming.sequence, current.sequence)
      : compareTimes(incoming, current);
  return comparison >= 0 ? "newer" : "stale";
};

const digits = /^\d+$/;

/** As numbers of any length when both are digits, else by code unit. */
const compareSequences = (a: string, b: string): number => {
  if (a === b) return 0;
  // Of one length, numbers in digits are ordered as texts are.
  if (a.length === b.length || !digits.test(a) || !digits.test(b)) return a > b ? 1 : -1;
  const [left, right] = [trimLeadingZeros(a), trimLeadingZeros(b)];
  if (left.length !== right.length) return left.length - right.length;
  return left === right ? 0 : left > right ? 1 : -1;
};

const trimLeadingZeros = (number: string): string =>
  number.startsWith("0") ? number.replace(/^0+/, "") : number;

/**
 * Folds new content into a group, newest wins.
 * @param content null to leave a tombstone, so that a late older event cannot bring the entity back.
 * @param equal whether two contents tell the same
 */
export const evolveGroup = <C>(
  current: Group<C> | null | undefined,
  stamp: Stamp,
  content: C | null,
  equal: (one: C, other: C) => boolean = isEqual,
): Evolved<Group<C>> => {
  if (current && compareStamps(current.stamp, stamp) === "stale") return { outcome: "stale" };
  const isUnchanged = current ? equalContents(current.content, content, equal) : false;
  if (current && isUnchanged && isSameEvent(current.stamp, stamp)) return { outcome: "repeated" };
  return {
    outcome: "applied",
    row: { stamp, changedAt: computeChangedAt(current ?? undefined, isUnchanged, stamp), content },
  };
};

/** The date of a content never goes back: an event may count by its `sequence` and be older by its time. */
const computeChangedAt = (
  current: { readonly changedAt: number } | undefined,
  isUnchanged: boolean,
  { time }: Stamp,
): number =>
  current ? (isUnchanged ? current.changedAt : Math.max(current.changedAt, time)) : time;

/** Ids are unique per source only, so this decides nothing but what is counted: the content must be the same too. */
export const isSameEvent = (one: Stamp, other: Stamp): boolean =>
  one.id === other.id && one.sequence === other.sequence && compareTimes(one, other) === 0;

const equalContents = <C>(
  one: C | null,
  other: C | null,
  equal: (one: C, other: C) => boolean,
): boolean => (one === null || other === null ? one === other : equal(one, other));

/** Whether two values have the same JSON, members in any order; most contents differ in their first few members. */
export const isEqual = (one: unknown, other: unknown): boolean => {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [left, right] = [one, other] as [Record<string, unknown>, Record<string, unknown>];
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  for (const name of names) {
    if (!Object.hasOwn(right, name) || !isEqual(left[name], right[name])) return false;
  }
  return true;
};
