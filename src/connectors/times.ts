import { readTime } from "../events/time.ts";
import { instantOfLocal } from "../offers/instants.ts";

/**
 * Converts a time of a platform to UTC with milliseconds. Two results compare as texts.
 * @param timeZone zone of a time without an offset, such as `2026-12-01 9:00:00`
 * @returns undefined when the date does not exist, or a time without an offset has no zone
 */
export const toUtcTime = (value: unknown, timeZone?: string): string | undefined => {
  const text = typeof value === "string" ? value.trim() : "";
  if (!isExistingDate(text.slice(0, 10))) return undefined;
  const local = localTime.exec(text);
  const instant = local ? readLocal(local, timeZone) : readTime(text)?.time;
  return instant === undefined || !isFourDigitYear(instant)
    ? undefined
    : new Date(instant).toISOString();
};

/** Excludes dates such as February 30, which `Date` would read as one of March. */
const isExistingDate = (date: string): boolean => {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
};

const localTime = /^(\d{4}-\d\d-\d\d)(?:[T ](\d{1,2})(:\d\d)(:\d\d)?)?$/;

const readLocal = (
  [, date = "", hour = "0", minutes = ":00", seconds = ":00"]: RegExpExecArray,
  timeZone: string | undefined,
): number | undefined => {
  const utc = readTime(`${date}T${hour.padStart(2, "0")}${minutes}${seconds}Z`);
  return utc && timeZone !== undefined ? instantOfLocal(utc.time, timeZone) : undefined;
};

/** Excludes the years that `toISOString` writes with a sign, which do not compare as texts. */
const isFourDigitYear = (instant: number): boolean =>
  instant >= 0 && instant < Date.UTC(10_000, 0, 1);

/** Returns the latest of some UTC times. */
export const latestTime = (first: string, ...others: readonly (string | undefined)[]): string =>
  others.reduce<string>(
    (latest, time) => (time !== undefined && time > latest ? time : latest),
    first,
  );
