import { headers, type MsgHdrs } from "nats";

/** Converts headers to lower-case names; the values of a repeated name are joined by commas. */
export function lowerCasedHeaders(source: MsgHdrs | undefined): Record<string, string> {
  // A Map, because an object inherits names such as `constructor`, and treats `__proto__` as its prototype.
  const lower = new Map<string, string>();
  for (const [name, values] of source ?? []) {
    const key = name.toLowerCase();
    const previous = lower.get(key);
    const value = values.join(", ");
    lower.set(key, previous === undefined ? value : `${previous}, ${value}`);
  }
  return Object.fromEntries(lower);
}

export function toHeaders(record: Readonly<Record<string, string>>): MsgHdrs {
  const result = headers();
  for (const [name, value] of Object.entries(record)) result.set(name, value);
  return result;
}
