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
  const [, sign, hours, minutes = "0"] = offset.exec(zone) ?? [];
  if (hours === undefined) return undefined;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
};

const offset = /^([+-])([01]\d|2[0-3])(?::?([0-5]\d))?$/;
