/** An event's time with all its digits, because databases store microseconds. */
export interface EventTime {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Decimal digits below the millisecond, without trailing zeros; absent when there are none. */
  readonly subMillis?: string;
}

export const timeOf = ({ time, subMillis }: EventTime): EventTime =>
  subMillis === undefined ? { time } : { time, subMillis };

/**
 * Returns the latest of some times in milliseconds since 1970, 0 without any. Unlike `Math.max` it takes any number of times: a call
 * has about 120,000 arguments at most.
 */
export const latestOf = (times: Iterable<number>): number => {
  let latest = 0;
  for (const time of times) latest = Math.max(latest, time);
  return latest;
};

/**
 * Parses an RFC 3339 time. A leap second becomes the second before it; small letters, a blank, `+0100` and `+01` are accepted.
 * @returns undefined when the date does not exist
 */
export function readTime(text: string): EventTime | undefined {
  const isPlain = text[10] === "T" && text.endsWith("Z") && !text.includes(":60");
  const time = Date.parse(isPlain ? text : toStrictTime(text));
  if (Number.isNaN(time)) return undefined;
  const match = text.length > millisTimeLength ? digitsBehindMillis.exec(text) : null;
  if (match === null) return { time };
  // Workaround for V8 (Node 20): it misreads the milliseconds of a fraction with ten digits or more.
  const exact = Math.floor(time / 1000) * 1000 + Number(match[1]);
  const subMillis = trimTrailingZeros(match[2] ?? "");
  return subMillis === "" ? { time: exact } : { time: exact, subMillis };
}

/** Spells a time as ECMAScript defines it, because V8 reads other spellings by rules of its own, and some as another year. */
const toStrictTime = (text: string): string =>
  text
    .toUpperCase()
    .replace(":60", ":59")
    .replace(/(?<=^.{10})\s/, "T")
    .replace(/(:[\d.]+[+-]\d\d):?(\d\d)?$/, (_, time, minutes = "00") => `${time}:${minutes}`);

const millisTimeLength = "2026-10-01T08:00:00.000Z".length;
const digitsBehindMillis = /\.(\d{3})(\d+)/;
const trimTrailingZeros = (digits: string): string => digits.replace(/0+$/, "");

/** Compares two times with all their digits: negative when the first is earlier, 0 when they are equal. */
export function compareTimes(one: EventTime, other: EventTime): number {
  if (one.time !== other.time) return one.time - other.time;
  const [left, right] = [one.subMillis ?? "", other.subMillis ?? ""];
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Formats a time as ISO 8601 in UTC, with milliseconds and all digits below them. */
export function formatEventTime({ time, subMillis }: EventTime): string {
  const text = new Date(time).toISOString();
  return subMillis === undefined ? text : `${text.slice(0, -1)}${subMillis}Z`;
}

/** Whether a text is the IANA name of a time zone, or an offset. */
export const isTimeZone = (name: string): boolean => {
  if (readOffset(name) !== undefined) return true;
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

/**
 * Reads an offset from UTC such as `+02:00`, because Node 20 takes no time zone of this form.
 * @returns milliseconds; undefined for the name of a time zone
 */
export const readOffset = (zone: string): number | undefined => {
  const local = /^[+-]\d\d(:?[0-5]\d)?$/.test(zone)
    ? readTime(`1970-01-01T00:00:00${zone}`)
    : undefined;
  return local && 0 - local.time;
};
