import { readTime } from "./time.ts";

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
