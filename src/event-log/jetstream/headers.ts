import { headers, type MsgHdrs } from "nats";

/** Header names in lower case; of a name told more than once the values with commas between. */
export function lowerCasedHeaders(told: MsgHdrs | undefined): Record<string, string> {
  // A Map, because an object inherits names such as `constructor`, and takes `__proto__` for its own prototype.
  const lower = new Map<string, string>();
  for (const [name, values] of told ?? []) {
    const key = name.toLowerCase();
    const before = lower.get(key);
    const value = values.join(", ");
    lower.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(lower);
}

export function toHeaders(record: Readonly<Record<string, string>>): MsgHdrs {
  const told = headers();
  for (const [name, value] of Object.entries(record)) told.set(name, value);
  return told;
}
