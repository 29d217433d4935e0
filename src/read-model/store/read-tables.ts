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
  /** Flags the generation for a check when `decode` throws. */
  const decodeOrFlag = <T>(decode: () => T): T => {
    try {
      return decode();
    } catch (error) {
      flagForCheck(directory, messageOf(error));
      throw error;
    }
  };
  const read = <T>(
    table: { readonly name: string },
    key: Key,
    decodeRecord: (record: Buffer) => T,
  ): T | undefined => {
    const record = getRecord(table, key);
    return record && decodeOrFlag(() => decodeRecord(record));
  };
  const get = <K extends Key, V>(table: Table<K, V>, key: K): V | undefined =>
    read(table, key, (record) => decodeValue(table, key, record) as V);
  return {
    get,
    rawJson: (table, key) => read(table, key, (record) => decodeText(key, record, table.name)),
    readJson: (table, key, readParts) =>
      read(table, key, (record) => readParts(decodeBytes(key, record, table.name))),
    scanProducts(range) {
      const { name } = tables.products;
      const rows = readStoredRows(scanned, tables.products, { ...range, ...readOptions });
      return Array.from(mapIterationErrors(rows), ({ key, value }) => {
        const id = key as number;
        return [id, decodeOrFlag(() => decodeText(id, value, name))] as const;
      });
    },
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
      for (const { key, value } of mapIterationErrors(
        readStoredRows(isReadWithoutCopy(table) ? scanned : database, table, {
          ...(range as RangeOptions),
          ...readOptions,
        }),
      )) {
        yield [key as unknown as K, decodeOrFlag(() => decodeValue(table, key as Key, value)) as V];
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
