/**
 * Converts a row to and from its stored JSON value. Rows with many short members are stored as arrays of values,
 * because member names would take most of the space.
 */
export interface RowEncoding<V> {
  encode(row: V): unknown;
  /** Decodes a value that `encode` made and JSON parsed. */
  decode(stored: unknown): V;
}

/**
 * Lists all members of an object in stored order, each with the encoding of its value, or null for none.
 * Only the last member may be absent from an object.
 */
type MemberEncodings<V> = {
  readonly [K in keyof V]-?: RowEncoding<NonNullable<V[K]>> | null;
};

/** Encodes objects as arrays of their values. A null value is stored as null and not encoded. */
export const encodeAsArray = <V extends object>(members: MemberEncodings<V>): RowEncoding<V> => {
  const columns = Object.entries(members) as [keyof V & string, RowEncoding<unknown> | null][];
  return {
    encode(row) {
      const values: unknown[] = [];
      for (const [name, encoding] of columns) {
        const value: unknown = row[name];
        if (value === undefined) break;
        values.push(encoding && value !== null ? encoding.encode(value) : value);
      }
      return values;
    },
    decode(stored) {
      const values = stored as readonly unknown[];
      const row: Record<string, unknown> = {};
      for (let at = 0; at < values.length; at += 1) {
        const [name, encoding] = columns[at] as (typeof columns)[number];
        const value = values[at];
        row[name] = encoding && value !== null ? encoding.decode(value) : value;
      }
      return row as V;
    },
  };
};

export const encodeList = <V>(encoding: RowEncoding<V>): RowEncoding<readonly V[]> => ({
  encode: (rows) => rows.map(encoding.encode),
  decode: (stored) => (stored as readonly unknown[]).map(encoding.decode),
});
