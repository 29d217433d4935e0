import { headers, type MsgHdrs } from "nats";

/** Header names in lower case; of a name told more than once the values with commas between. */
export function lowerCasedHeaders(told: MsgHdrs | undefined): Record<string, string> {
  const lower: Record<string, string> = {};
  if (told === undefined) return lower;
  for (const [name, values] of told) {
    const key = name.toLowerCase();
    const value = values.join(", ");
    lower[key] = key in lower ? `${lower[key]}, ${value}` : value;
  }
  return lower;
}

export function toHeaders(record: Readonly<Record<string, string>>): MsgHdrs {
  const told = headers();
  for (const [name, value] of Object.entries(record)) told.set(name, value);
  return told;
}
