import { offsetAt, toInstant } from "../../offers/instants.ts";

/**
 * Formats a date, `15 Jan 2027`, or a time on the clocks of the shop, `30 Nov 2026, 00:00 (Europe/Berlin)`.
 * @param time `2027-01-15`, or RFC 3339 with an offset
 * @param timeZone UTC when the shop does not say
 */
export const formatDateOrInstant = (time: string, timeZone: string | null): string => {
  if (isBareDate.test(time)) return formatDate(time);
  const zone = timeZone ?? "UTC";
  const key = `${zone} ${time}`;
  const text = instants.get(key) ?? formatInstant(time, zone);
  if (instants.size >= maxInstants) instants.clear();
  instants.set(key, text);
  return text;
};

const isBareDate = /^\d{4}-\d{2}-\d{2}$/;

/** Maximum number of formatted times in memory. */
const maxInstants = 1_000;

/** Memoises formatted times, because the variants of a product share few of them. */
const instants = new Map<string, string>();

const formatInstant = (time: string, zone: string): string => {
  const instant = toInstant(time);
  const local = new Date(instant + offsetAt(instant, zone)).toISOString();
  // The year 10000 has a sign and six digits: an open end is often the last second of 9999.
  const [date = "", clock = ""] = local.replace(/^\+0?/, "").split("T");
  return `${formatDate(date)}, ${clock.slice(0, 5)} (${zone})`;
};

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

const formatDate = (date: string): string => {
  const [year, month, day] = date.split("-");
  return `${Number(day)} ${months[Number(month) - 1]} ${year}`;
};
