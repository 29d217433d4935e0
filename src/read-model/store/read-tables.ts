import type { Database, Key as LmdbKey, RangeOptions, Transaction } from "lmdb";
import { messageOf, VitrineError } from "../../errors.ts";
import { isCorruption } from "../../lmdb/error-codes.ts";
import { textData } from "../../text/text-data.ts";
import { decode, decodeBytes, decodeText, type Key, verifyKeyOnlyRow } from "../schema/codec.ts";
import { type KeyPrefix, type Table, tables } from "../schema/tables.ts";
import { flagForCheck } from "./damage-flag.ts";
import type { Range, ReadTables } from "./table-access.ts";

/** Returns the LMDB database of a table; undefined for one that a read-only generation of an earlier version lacks. */
export type DatabaseOf = (table: {
  readonly name: string;
}) => Database<Buffer, LmdbKey> | undefined;

/** Whether a scan of a table gives records that are valid only until the next read. Rows of products and offers are decoded at once. */
export const isReadWithoutCopy = ({
  name,
  kind,
}: {
  readonly name: string;
  readonly kind: string;
}): boolean => kind === "bytes" || name === tables.products.name || name === tables.offers.name;

export type TableFormat<V = unknown> = Omit<Table<Key, V>, "maps">;

/**
 * Creates typed read access to the tables.
 * @param scanned those of `isReadWithoutCopy`, without copies
 * @param transaction read transaction to use instead of the current one
 */
export const createReadTables = (
  database: DatabaseOf,
  scanned: DatabaseOf,
  directory: string,
  transaction?: Transaction,
): ReadTables => {
  const readOptions = transaction ? { transaction } : {};
  const getRecord = (table: { readonly name: string }, key: Key): Buffer | undefined => {
    try {
      return transaction
        ? database(table)?.get(key as LmdbKey, { transaction })
        : database(table)?.getBinaryFast(key as LmdbKey);
    } catch (error) {
      throw mapCorruption(error);
    }
  };
  // Measured: a generator would take a third of the time of an iteration over a few keys.
  const mapIterationErrors = <T>(rows: Iterable<T>): Iterable<T> => ({
    [Symbol.iterator]() {
      const iterator = rows[Symbol.iterator]();
      return {
        next() {
          try {
            return iterator.next();
          } catch (error) {
            throw mapCorruption(error);
          }
        },
        return: () => iterator.return?.() ?? { done: true, value: undefined },
      };
    },
  });
  const mapCorruption = (error: unknown): unknown =>
    isCorruption(error) ? corruptPage(messageOf(error), error) : error;
  const corruptPage = (how: string, cause?: unknown): VitrineError => {
    flagForCheck(directory, how);
    return new VitrineError(
      "model_damaged",
      `a page of ${directory} is damaged: ${how}`,
      "while Vitrine runs, it checks the file and rebuilds the model from the event log within seconds",
      cause,
    );
  };
  /**
   * Returns true when this process has other text data than the writer of the generation: stale index rows may remain then,
   * because a projector with other text data computes other keys and does not remove them.
   */
  const hasOtherTextData = (): boolean => {
    const checkpoint = get(tables.meta, "checkpoint");
    return checkpoint !== undefined && checkpoint.textData !== textData();
  };
  const staleIndexRow = (how: string): VitrineError =>
    new VitrineError(
      "outdated",
      `${directory} was made with other text data: ${how}`,
      "while Vitrine runs, it rebuilds the model from the event log",
    );
  /** Decodes a record. Flags the generation for a check when that throws. */
  const decodeOrFlag = <K extends Key, T>(
    decodeRecord: (key: K, record: Buffer) => T,
    key: K,
    record: Buffer,
  ): T => {
    try {
      return decodeRecord(key, record);
    } catch (error) {
      flagForCheck(directory, messageOf(error));
      throw error;
    }
  };
  const read = <T>(
    table: { readonly name: string },
    key: Key,
    decodeRecord: (key: Key, record: Buffer) => T,
  ): T | undefined => {
    const record = getRecord(table, key);
    return record && decodeOrFlag(decodeRecord, key, record);
  };
  const get = <K extends Key, V>(table: Table<K, V>, key: K): V | undefined =>
    read(table, key, (key, record) => decodeValue(table, key, record) as V);
  const readRange = (
    table: { readonly name: string; readonly kind: string },
    range: RangeOptions,
  ) =>
    readStoredRows(isReadWithoutCopy(table) ? scanned : database, table, {
      ...range,
      ...readOptions,
    });
  /** Decodes all rows of a range in one loop: a page of 100 products scans 200 rows, and a generator and a closure for each take longer. */
  const scan = <K extends Key, T>(
    table: { readonly name: string; readonly kind: string },
    range: Range<KeyPrefix<K>>,
    decodeRecord: (key: K, record: Buffer) => T,
  ): readonly (readonly [key: K, value: T])[] => {
    const rows: [K, T][] = [];
    try {
      for (const { key, value } of readRange(table, range as RangeOptions))
        rows.push([key as unknown as K, decodeOrFlag(decodeRecord, key as unknown as K, value)]);
    } catch (error) {
      throw mapCorruption(error);
    }
    return rows;
  };
  return {
    get,
    rawJson: (table, key) => read(table, key, (key, record) => decodeText(key, record, table.name)),
    readJson: (table, key, readParts) =>
      read(table, key, (key, record) => readParts(decodeBytes(key, record, table.name))),
    scanJson: (table, range) =>
      scan(table, range, (key, record) => decodeText(key, record, table.name)),
    scan: <K extends Key, V>(table: Table<K, V>, range: Range<KeyPrefix<K>>) =>
      scan(table, range, (key, record) => decodeValue(table, key, record) as V),
    has: (table, key) => getRecord(table, key) !== undefined,
    missingRow({ name }, key) {
      const how = `the row ${JSON.stringify(key)} of the table "${name}", which others name, is not there`;
      return hasOtherTextData() ? staleIndexRow(how) : corruptPage(how);
    },
    keys: <K extends Key, V>(table: Table<K, V>, range: Range<KeyPrefix<K>> = {}) =>
      mapIterationErrors(
        (database(table)?.getKeys({ ...(range as RangeOptions), ...readOptions }) ??
          []) as Iterable<unknown> as Iterable<K>,
      ),
    *entries<K extends Key, V>(table: Table<K, V>, range: Range<KeyPrefix<K>> = {}) {
      const decodeStored = (key: Key, record: Buffer) => decodeValue(table, key, record);
      for (const { key, value } of mapIterationErrors(readRange(table, range as RangeOptions))) {
        yield [key as unknown as K, decodeOrFlag(decodeStored, key as Key, value) as V];
      }
    },
  };
};

/** Decodes a record of any table. @throws `model_damaged` when its checksum does not match */
export const decodeValue = <V>(
  { name, kind, encoding }: TableFormat<V>,
  key: Key,
  record: Buffer,
): unknown => {
  if (kind === "json") {
    const value = decode(key, record, name);
    return encoding ? encoding.decode(value) : value;
  }
  if (kind === "bytes") return decodeBytes(key, record, name);
  verifyKeyOnlyRow(key, record, name);
  return true;
};

export const readStoredRows = (
  database: DatabaseOf,
  table: { readonly name: string },
  range: RangeOptions,
): Iterable<{ key: LmdbKey; value: Buffer }> => database(table)?.getRange(range) ?? [];
