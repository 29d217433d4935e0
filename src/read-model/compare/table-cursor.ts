import { createHash } from "node:crypto";
import { compareKeys, type Key as LmdbKey } from "lmdb";
import type { Key } from "../schema/codec.ts";

export interface StoredRow {
  readonly key: Key;
  readonly record: Buffer;
  /** True for a key that breaks the ascending order of keys. */
  readonly isMisplaced: boolean;
}

export type TableCursor = ReturnType<typeof openTableCursor>;

/**
 * Reads a table from its first row to its last. A damaged key is reported as out of order, and the order check continues without that
 * key.
 */
export const openTableCursor = (open: () => Iterable<readonly [Key, Buffer]>) => {
  const hash = createHash("sha256");
  let count = 0;
  let lastSortedKey: Key | undefined;
  let iterator: Iterator<readonly [Key, Buffer]> | undefined;
  let ahead: readonly [Key, Buffer] | undefined;
  let row: StoredRow | undefined;
  const readAhead = (): void => {
    const next = iterator?.next();
    ahead = next?.done ? undefined : next?.value;
  };
  const nextRow = (): StoredRow | undefined => {
    if (!ahead) return undefined;
    const [key, record] = ahead;
    readAhead();
    const isTooSmall = isBefore(key, lastSortedKey);
    const isTooGreat = isBefore(ahead?.[0], key) && !isBefore(ahead?.[0], lastSortedKey);
    if (!isTooSmall && !isTooGreat) lastSortedKey = key;
    return { key, record, isMisplaced: isTooSmall || isTooGreat };
  };
  const start = (): void => {
    if (iterator) return;
    iterator = open()[Symbol.iterator]();
    readAhead();
    row = nextRow();
  };
  return {
    /** Returns the current row; undefined at the end. */
    row(): StoredRow | undefined {
      start();
      return row;
    },
    advance(): void {
      if (!row) return;
      count += 1;
      hash.update(JSON.stringify(row.key)).update("\0").update(row.record).update("\n");
      row = nextRow();
    },
    count: (): number => count,
    /** Returns SHA-256 in hex of the rows passed, computed like `Store.digest`. */
    digest: (): string => hash.digest("hex"),
  };
};

const isBefore = (one: Key | undefined, other: Key | undefined): boolean =>
  one !== undefined && other !== undefined && compareKeys(one as LmdbKey, other as LmdbKey) < 0;

/** Compares two rows by key; a row out of order comes first and equals no other row. */
export const compareRows = (one: StoredRow | undefined, other: StoredRow | undefined): number => {
  if (!other || one?.isMisplaced) return -1;
  if (!one || other.isMisplaced) return 1;
  return compareKeys(one.key as LmdbKey, other.key as LmdbKey);
};
