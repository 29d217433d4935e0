import { VitrineError } from "../../errors.ts";
import { type EventTime, readTime } from "../../events/time.ts";
import type { ParseValue } from "../command-spec.ts";

/** Groups: date, hour and minute, seconds, fraction, offset (RFC 3339, ISO 8601). */
const timePattern = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d)?(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/**
 * Parses a time with its offset from UTC, and keeps all its digits.
 * @throws VitrineError `usage`, also for a day that the month does not have
 */
export const parseEventTime: ParseValue<EventTime> = (text, flag) => {
  const [, date = "", minute, second = ":00", fraction = "", offset = ""] =
    timePattern.exec(text) ?? [];
  const time = isDay(date)
    ? readTime(`${date}T${minute}${second}${fraction}${offset.toUpperCase()}`)
    : undefined;
  if (time) return time;
  throw new VitrineError(
    "usage",
    `${flag} ${text}: give a time with its offset from UTC, such as 2026-10-01T08:00:00Z or 2026-10-01T10:00:00+02:00`,
  );
};

/** False for 30 February, which `Date.parse` takes for 2 March. */
const isDay = (date: string): boolean => {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  return Number.isFinite(midnight) && new Date(midnight).toISOString().startsWith(date);
};
