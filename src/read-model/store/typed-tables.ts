import type { Database, Key as LmdbKey, RangeOptions, Transaction } from "lmdb";
import { messageOf, VitrineError } from "../../errors.ts";
import { isOfDamage } from "../../lmdb/error-codes.ts";
import { textData } from "../../text/text-data.ts";
import { suspect } from "../integrity/flag.ts";
import type { Checkpoint } from "../schema/checkpoint.ts";
import {
  checkKey,
  decode,
  decodeBytes,
  decodeText,
  encode,
  encodeBytes,
  encodeKey,
} from "../schema/codec.ts";
import { type Key, type Table, tables } from "../schema/tables.ts";
import type { Range, Tables, WritableTables } from "./store.ts";

/** Reading and writing rows of one environment: how each kind of table stands in it. */

/** Undefined for a table that a generation of an earlier version never had, opened for reading: it is empty. */
export type TableOf = (table: { readonly name: string }) => Database<Buffer, LmdbKey> | undefined;

/** The table of products in a form that lends its rows; undefined where it is not there. */
export type Lending = Database<Buffer, LmdbKey> | undefined;

type Described<V = unknown> = Pick<Table<Key, V>, "name" | "kind" | "packing">;

/**
 * The tables as they are read.
 * @param transaction reads its moment instead of the newest one
 */
export const readTables = (
  of: TableOf,
  lending: Lending,
  directory: string,
  transaction?: Transaction,
): Tables => {
  const at = transaction ? { transaction } : {};
  const record = (table: { readonly name: string }, key: Key): Buffer | undefined => {
    try {
      return transaction
        ? of(table)?.get(key as LmdbKey, { transaction })
        : of(table)?.getBinaryFast(key as LmdbKey);
    } catch (error) {
      throw told(error);
    }
  };
  // No generator: on a walk of a few keys that would be a third of the time.
  const walked = <T>(rows: Iterable<T>): Iterable<T> => ({
    [Symbol.iterator]() {
      const walk = rows[Symbol.iterator]();
      return {
        next() {
          try {
            return walk.next();
          } catch (error) {
            throw told(error);
          }
        },
        return: () => walk.return?.() ?? { done: true, value: undefined },
      };
    },
  });
  const told = (error: unknown): unknown =>
    isOfDamage(error) ? damaged(messageOf(error), error) : error;
  const damaged = (how: string, cause?: unknown): VitrineError => {
    suspect(directory, how);
    return new VitrineError(
      "model_damaged",
      `a page of ${directory} is damaged: ${how}`,
      "it is read through and made anew from the event log within seconds, while Vitrine runs",
      cause,
    );
  };
  /** Tells whether index rows may be left over, under keys that a projector with other text data could not compute. */
  const hasOtherTextData = (): boolean => {
    const found = record(tables.meta, "checkpoint");
    if (found === undefined) return false;
    const written = reading(() => valueOf(tables.meta, "checkpoint", found)) as Checkpoint;
    return written.textData !== textData();
  };
  const leftBehind = (how: string): VitrineError =>
    new VitrineError(
      "outdated",
      `${directory} was made with other text data: ${how}`,
      "while Vitrine runs, it rebuilds the model from the event log",
    );
  /** What cannot be read makes the whole generation suspect. */
  const reading = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      suspect(directory, messageOf(error));
      throw error;
    }
  };
  return {
    get<K extends Key, V>(table: Table<K, V>, key: K) {
      const found = record(table, key);
      return found === undefined ? undefined : (reading(() => valueOf(table, key, found)) as V);
    },
    text(table, key) {
      const found = record(table, key);
      return found === undefined ? undefined : reading(() => decodeText(key, found, table.name));
    },
    stretch(range) {
      const { name } = tables.products;
      const [ids, texts]: [number[], string[]] = [[], []];
      for (const { key, value } of walked(lending?.getRange({ ...range, ...at }) ?? [])) {
        ids.push(key as number);
        texts.push(reading(() => decodeText(key as number, value, name)));
      }
      return { ids, texts };
    },
    has: (table, key) => record(table, key) !== undefined,
    lost({ name }, key) {
      const how = `the row ${JSON.stringify(key)} of the table "${name}", which others name, is not there`;
      return hasOtherTextData() ? leftBehind(how) : damaged(how);
    },
    keys: <K extends Key, V>(table: Table<K, V>, range: Range<Key> = {}) =>
      walked(
        (of(table)?.getKeys({ ...(range as RangeOptions), ...at }) ??
          []) as Iterable<unknown> as Iterable<K>,
      ),
    *entries<K extends Key, V>(table: Table<K, V>, range: Range<Key> = {}) {
      for (const { key, value } of walked(
        rowsOf(of, table, { ...(range as RangeOptions), ...at }),
      )) {
        yield [key as unknown as K, reading(() => valueOf(table, key as Key, value)) as V];
      }
    },
  };
};

/** The tables as one transaction writes them. */
export const writeTables = (of: TableOf, readable: Tables): WritableTables => {
  const lasts = new Map<string, number>();
  const lastOf = (table: { readonly name: string }): number => {
    const known = lasts.get(table.name);
    if (known !== undefined) return known;
    const [last = Number.NEGATIVE_INFINITY] = of(table)?.getKeys({ reverse: true, limit: 1 }) ?? [];
    lasts.set(table.name, last as number);
    return last as number;
  };
  return {
    ...readable,
    put(table, key, value) {
      const record = recordOf(table, key, value);
      if (typeof key === "number" && key > lastOf(table)) {
        lasts.set(table.name, key);
        // Refused where a transaction within this one has written behind it.
        if (of(table)?.putSync(key, record, appended)) return;
      }
      of(table)?.putSync(key as LmdbKey, record);
    },
    remove(table, key) {
      of(table)?.removeSync(key as LmdbKey);
    },
  };
};

/** LMDB fills the pages of rows that come in order of their keys only when it is told that they do. */
const appended = { append: true };

const valueOf = <V>({ name, kind, packing }: Described<V>, key: Key, record: Buffer): unknown => {
  if (kind === "json") {
    const value = decode(key, record, name);
    return packing ? packing.unpack(value) : value;
  }
  if (kind === "bytes") return decodeBytes(key, record, name);
  checkKey(key, record, name);
  return true;
};

/** A value as it is stored. */
const recordOf = <V>({ kind, packing }: Described<V>, key: Key, value: V): Buffer => {
  if (kind === "set") return encodeKey(key);
  if (kind === "bytes") return encodeBytes(key, value as Buffer);
  return encode(key, packing ? packing.pack(value) : value);
};

/** Rows as they are stored, in order of keys. */
export const rowsOf = (
  of: TableOf,
  table: { readonly name: string },
  range: RangeOptions,
): Iterable<{ key: LmdbKey; value: Buffer }> => of(table)?.getRange(range) ?? [];
