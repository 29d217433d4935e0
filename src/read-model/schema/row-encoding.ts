/**
 * How a row with many short members is stored: as an array of their values, without their names, which are most of
 * what such a row would take.
 */
export interface Packing<V> {
  pack(row: V): unknown;
  /** What `pack` made, read from JSON. */
  unpack(packed: unknown): V;
}

/**
 * All members of an object in the order they are stored in, each with how its own value is packed, `null` for as it is.
 * Only the last one may be left out of an object.
 */
export type Members<V> = {
  readonly [K in keyof V]-?: Packing<NonNullable<V[K]>> | null;
};

/** Objects as arrays. A member that is null is stored so, however it is packed. */
export const packed = <V extends object>(members: Members<V>): Packing<V> => {
  const order = Object.entries(members) as [keyof V & string, Packing<unknown> | null][];
  return {
    pack(row) {
      const values: unknown[] = [];
      for (const [name, packing] of order) {
        const value: unknown = row[name];
        if (value === undefined) break;
        values.push(packing && value !== null ? packing.pack(value) : value);
      }
      return values;
    },
    unpack(stored) {
      // A generation of an earlier version, which is looked into beside the one that takes its place, has the names.
      if (!Array.isArray(stored)) return stored as V;
      const values: readonly unknown[] = stored;
      const row: Record<string, unknown> = {};
      for (let at = 0; at < values.length; at += 1) {
        const [name, packing] = order[at] as (typeof order)[number];
        const value = values[at];
        row[name] = packing && value !== null ? packing.unpack(value) : value;
      }
      return row as V;
    },
  };
};

/** Lists of what is packed. */
export const packedList = <V>(packing: Packing<V>): Packing<readonly V[]> => ({
  pack: (rows) => rows.map(packing.pack),
  unpack: (stored) => (stored as readonly unknown[]).map(packing.unpack),
});
