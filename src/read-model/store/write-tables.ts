import type { Key as LmdbKey } from "lmdb";
import { encode, encodeBytes, encodeKeyOnlyRow } from "../schema/codec.ts";
import type { Key } from "../schema/tables.ts";
import type { DatabaseOf, TableFormat } from "./read-tables.ts";
import type { ReadTables, WritableTables } from "./table-access.ts";

export const createWriteTables = (database: DatabaseOf, readable: ReadTables): WritableTables => {
  const lastKeys = new Map<string, number>();
  const getLastKey = (table: { readonly name: string }): number => {
    const cached = lastKeys.get(table.name);
    if (cached !== undefined) return cached;
    const [last = Number.NEGATIVE_INFINITY] =
      database(table)?.getKeys({ reverse: true, limit: 1 }) ?? [];
    lastKeys.set(table.name, last as number);
    return last as number;
  };
  return {
    ...readable,
    put(table, key, value) {
      const record = encodeRecord(table, key, value);
      if (typeof key === "number" && key > getLastKey(table)) {
        lastKeys.set(table.name, key);
        // LMDB rejects the append when a nested transaction has written a greater key.
        if (database(table)?.putSync(key, record, append)) return;
      }
      database(table)?.putSync(key as LmdbKey, record);
    },
    remove(table, key) {
      database(table)?.removeSync(key as LmdbKey);
    },
  };
};

/** Option for rows in ascending key order: only with it does LMDB fill their pages completely. */
const append = { append: true };

const encodeRecord = <V>({ kind, encoding }: TableFormat<V>, key: Key, value: V): Buffer => {
  if (kind === "set") return encodeKeyOnlyRow(key);
  if (kind === "bytes") return encodeBytes(key, value as Buffer);
  return encode(key, encoding ? encoding.encode(value) : value);
};
