import type { ShopEvent } from "../src/events/event.ts";
import type { Group, Stamp } from "../src/read-model/states.ts";

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

export const stampOf = (event: ShopEvent): Stamp => ({
  id: event.id,
  time: event.time,
  ...(event.sequence === undefined ? {} : { sequence: event.sequence }),
});

/**
 * Which of two events of one entity and field group counts (contract section 2): by the shop's `sequence` when
 * both have one, else by time, else the later one in the log.
 */
export const compareStamps = (known: Stamp, told: Stamp): "newer" | "stale" => {
  const order =
    known.sequence !== undefined && told.sequence !== undefined
      ? compareSequences(told.sequence, known.sequence)
      : told.time - known.time;
  return order >= 0 ? "newer" : "stale";
};

const digits = /^\d+$/;

/** As numbers of any length when both are digits, else by code unit. */
const compareSequences = (a: string, b: string): number => {
  if (digits.test(a) && digits.test(b)) {
    const [left, right] = [BigInt(a), BigInt(b)];
    return left === right ? 0 : left > right ? 1 : -1;
  }
  return a === b ? 0 : a > b ? 1 : -1;
};

/**
 * Folds new content into a group, newest wins.
 * @param content null to leave a tombstone, so that a late older event cannot bring the entity back.
 */
export const evolveGroup = <C>(
  known: Group<C> | null | undefined,
  stamp: Stamp,
  content: C | null,
): Evolved<Group<C>> => {
  if (known && compareStamps(known.stamp, stamp) === "stale") return { outcome: "stale" };
  const same = known ? equal(known.content, content) : false;
  if (known && same && isSameEvent(known.stamp, stamp)) return { outcome: "repeated" };
  return {
    outcome: "applied",
    row: { stamp, changedAt: same && known ? known.changedAt : stamp.time, content },
  };
};

/** Ids are unique per source only, so this decides nothing but what is counted: the content must be the same too. */
export const isSameEvent = (known: Stamp, told: Stamp): boolean =>
  known.id === told.id && known.time === told.time;

/** Contents are built with one member order, so equal ones have equal JSON. */
const equal = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
