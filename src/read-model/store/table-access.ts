import type { VitrineError } from "../../errors.ts";
import type { Checkpoint } from "../schema/checkpoint.ts";
import type { Key } from "../schema/codec.ts";
import { type KeyPrefix, type Table, tables } from "../schema/tables.ts";

/** A range of keys, ascending unless `reverse`. `end` is exclusive. */
export interface Range<K> {
  readonly start?: K;
  readonly end?: K;
  readonly limit?: number;
  readonly reverse?: boolean;
}

/** Typed access to the tables of one generation. Reads within a write transaction see its writes. */
export interface ReadTables {
  /** Reads a value. The buffer of a `bytes` table is valid until the next read. */
  get<K extends Key, V>(table: Table<K, V>, key: K): V | undefined;
  /** Reads the JSON of a value as latin1, one character per UTF-8 byte, so that a reply can copy it unchanged. */
  rawJson<K extends Key, V>(table: Table<K, V>, key: K): string | undefined;
  /** Reads parts of the JSON of a value. `read` gets its bytes, which are valid until the next read. */
  readJson<K extends Key, V, T>(
    table: Table<K, V>,
    key: K,
    read: (json: Buffer) => T,
  ): T | undefined;
  /**
   * Reads the rows of a range into a list, which takes less time than `entries`. Not for a `bytes` table, whose buffers are valid until the
   * next read.
   */
  scan<K extends Key, V>(
    table: Table<K, V>,
    range: Range<KeyPrefix<K>>,
  ): readonly (readonly [key: K, value: V])[];
  /** Reads the rows of a range into a list, each value in the form of `rawJson`. */
  scanJson<K extends Key, V>(
    table: Table<K, V>,
    range: Range<KeyPrefix<K>>,
  ): readonly (readonly [key: K, json: string])[];
  has<K extends Key, V>(table: Table<K, V>, key: K): boolean;
  /** Makes the error for a missing row that another row refers to, and flags the generation for a check. */
  missingRow<K extends Key, V>(table: Table<K, V>, key: K): VitrineError;
  /** Iterates over keys in ascending order, without `end`. Finish or break the iteration before awaiting. */
  keys<K extends Key, V>(table: Table<K, V>, range?: Range<KeyPrefix<K>>): Iterable<K>;
  /** Iterates over rows. The buffer of a `bytes` table is valid until the next read. */
  entries<K extends Key, V>(table: Table<K, V>, range?: Range<KeyPrefix<K>>): Iterable<[K, V]>;
}

export interface WritableTables extends ReadTables {
  put<K extends Key, V>(table: Table<K, V>, key: K, value: V): void;
  remove<K extends Key, V>(table: Table<K, V>, key: K): void;
}

/** @returns undefined for a generation to which no batch was committed */
export const readCheckpoint = (stored: Pick<ReadTables, "get">): Checkpoint | undefined =>
  stored.get(tables.meta, "checkpoint");
