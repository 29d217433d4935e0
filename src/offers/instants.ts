import { readOffset, readTime } from "../events/time.ts";

/** Times of sales and deliveries as instants: whole milliseconds since 1970, as clocks give them. */

/**
 * Returns the first millisecond at or after a time. A whole millisecond is at or after the time exactly when it is at or after the
 * result, whatever digits the time has below the millisecond.
 * @throws RangeError for a text that no schema accepts
 */
export const toInstant = (time: string): number => {
  const existing = instants.get(time);
  if (existing !== undefined) return existing;
  const read = readTime(time);
  if (!read) throw new RangeError(`${time} is no time`);
  const instant = read.subMillis === undefined ? read.time : read.time + 1;
  if (instants.size >= maxInstants) instants.clear();
  instants.set(time, instant);
  return instant;
};

/** Instants by their text, because thousands of variants share the window of one sale. */
const instants = new Map<string, number>();
const maxInstants = 10_000;

/**
 * Returns the first millisecond after a date or time: the end of a bare date in a time zone.
 * @param date `2027-01-15`, or RFC 3339 with an offset
 */
export const endOfDate = (date: string, timeZone: string): number =>
  date.length === dateLength ? startOfDay(nextDay(date), timeZone) : toInstant(date);

const dateLength = "2027-01-15".length;

const nextDay = (date: string): string => {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, dateLength);
};

/** Returns the first millisecond of a day in a time zone. */
export const startOfDay = (date: string, timeZone: string): number =>
  instantOfLocal(Date.parse(`${date}T00:00:00Z`), timeZone);

/**
 * Returns the instant of a local time: the first of two. A time that the clock skips counts by the offset before the skip.
 * @param utc the instant at which clocks in UTC show this time
 */
export const instantOfLocal = (utc: number, timeZone: string): number => {
  // The offset at that time is the one at one of these instants, unless the clock skips the time.
  const candidates = [utc, utc - dayMs, utc + dayMs].map((near) => utc - offsetAt(near, timeZone));
  const matching = candidates.filter((at) => at + offsetAt(at, timeZone) === utc);
  return matching.length > 0 ? Math.min(...matching) : Math.max(...candidates.slice(0, 2));
};

const dayMs = 24 * 60 * 60 * 1000;

/** Returns how far the clocks of a time zone are ahead of UTC at an instant, in milliseconds. */
export const offsetAt = (instant: number, timeZone: string): number => {
  const offset = readOffset(timeZone);
  if (offset !== undefined) return offset;
  const parts = formatterFor(timeZone).formatToParts(instant);
  const read = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(
    read("year"),
    read("month") - 1,
    read("day"),
    read("hour"),
    read("minute"),
    read("second"),
  );
  return local - Math.floor(instant / 1000) * 1000;
};

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Memoises the formatter, because to create one takes 50 µs. A shop has one time zone. */
const formatterFor = (timeZone: string): Intl.DateTimeFormat => {
  const existing = formatters.get(timeZone);
  if (existing) return existing;
  const formatter = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formatters.set(timeZone, formatter);
  return formatter;
};
