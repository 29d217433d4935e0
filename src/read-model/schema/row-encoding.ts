/**
 * Converts a row to and from its stored JSON value. Rows with many short members are stored as arrays of values,
 * because member names would take most of the space.
 */
export interface Packing<V> {
  pack(row: V): unknown;
  /** Decodes a value that `encode` made and JSON parsed. */
  unpack(stored: unknown): V;
}

/**
 * Lists all members of an object in stored order, each with the encoding of its value, or null for none.
 * Only the last member may be absent from an object.
 */
export type Members<V> = {
  readonly [K in keyof V]-?: Packing<NonNullable<V[K]>> | null;
};

/** Encodes objects as arrays of their values. A null value is stored as null, whatever its encoding. */
export const packed = <V extends object>(members: Members<V>): Packing<V> => {
  const columns = Object.entries(members) as [keyof V & string, Packing<unknown> | null][];
  return {
    pack(row) {
      const values: unknown[] = [];
      for (const [name, encoding] of columns) {
        const value: unknown = row[name];
        if (value === undefined) break;
        values.push(encoding && value !== null ? encoding.pack(value) : value);
      }
      return values;
    },
    unpack(stored) {
      // Generations of earlier versions store objects; a rebuild compares them with the candidate.
      if (!Array.isArray(stored)) return stored as V;
      const values: readonly unknown[] = stored;
      const row: Record<string, unknown> = {};
      for (let at = 0; at < values.length; at += 1) {
        const [name, encoding] = columns[at] as (typeof columns)[number];
        const value = values[at];
        row[name] = encoding && value !== null ? encoding.unpack(value) : value;
      }
      return row as V;
    },
  };
};

/** Encodes arrays, each element by `encoding`. */
export const packedList = <V>(encoding: Packing<V>): Packing<readonly V[]> => ({
  pack: (rows) => rows.map(encoding.pack),
  unpack: (stored) => (stored as readonly unknown[]).map(encoding.unpack),
});
