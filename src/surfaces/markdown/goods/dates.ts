import { toInstant } from "../../../offers/instants.ts";

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** Formats a date: `15 Jan 2027`. @param date `2027-01-15` */
export const formatDate = (date: string): string => {
  const [year, month, day] = date.split("-");
  return `${Number(day)} ${months[Number(month) - 1]} ${year}`;
};

/**
 * Formats a time on the clocks of the shop: `30 Nov 2026, 00:00 (Europe/Berlin)`.
 * @param time RFC 3339 with an offset
 * @param timeZone UTC when the shop does not say
 */
export const formatInstant = (time: string, timeZone: string | null): string => {
  const zone = timeZone ?? "UTC";
  const key = `${zone} ${time}`;
  const text = instants.get(key) ?? formatAt(time, zone);
  if (instants.size >= maxInstants) instants.clear();
  instants.set(key, text);
  return text;
};

/** Maximum number of formatted times in memory. */
const maxInstants = 1_000;

/** Memoises formatted times, because the variants of a product share few of them. */
const instants = new Map<string, string>();

const formatAt = (time: string, zone: string): string => {
  const parts = formatterFor(zone).formatToParts(toInstant(time));
  const read = (type: string): string => parts.find((part) => part.type === type)?.value ?? "";
  const date = formatDate(`${read("year")}-${read("month")}-${read("day")}`);
  return `${date}, ${read("hour")}:${read("minute")} (${zone})`;
};

const isBareDate = /^\d{4}-\d{2}-\d{2}$/;

/** Formats a date, or a time on the clocks of the shop. */
export const formatDateOrInstant = (value: string, timeZone: string | null): string =>
  isBareDate.test(value) ? formatDate(value) : formatInstant(value, timeZone);

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Memoises the formatter, because to create one takes 50 µs. A shop has one time zone. */
const formatterFor = (timeZone: string): Intl.DateTimeFormat => {
  const existing = formatters.get(timeZone);
  if (existing) return existing;
  const formatter = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  formatters.set(timeZone, formatter);
  return formatter;
};
