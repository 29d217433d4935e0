import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Key as LmdbKey } from "lmdb";
import { messageOf, VitrineError } from "../../errors.ts";
import { isBadTransaction, isCorruptPage, isPanic } from "../../lmdb/error-codes.ts";
import { encode, encodeBytes, encodeKeyOnlyRow, type Key } from "../schema/codec.ts";
import { flagForCheck } from "./damage-flag.ts";
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

/**
 * Consecutive transactions that LMDB fails without an I/O error before its free pages count as damaged: readers never
 * read free pages.
 */
const maxFailedWrites = 3;

/** Tracks the outcome of this process's write transactions to one generation. */
export const trackWriteFailures = (directory: string) => {
  const marker = failureMarker(join(directory, "unwritten"));
  let failures = 0;
  return {
    succeeded(): void {
      failures = 0;
      marker.clear();
    },
    /**
     * Records a failed transaction and flags the generation when it cannot be written.
     * @returns the error to throw: `reopen` when only another process can write again, else `error`
     */
    failed(error: unknown): unknown {
      failures = isBadTransaction(error) ? failures + 1 : 0;
      if (isCorruptPage(error) || failures === maxFailedWrites) {
        // Reopening the file may help; when writing fails again after that, the flag sends it to quarantine.
        if (isCorruptPage(error) || marker.exists()) {
          flagForCheck(directory, `it cannot be written: ${messageOf(error)}`, "corrupt");
        }
        marker.create();
        return reopenRequired(directory, error);
      }
      return isPanic(error) ? reopenRequired(directory, error) : error;
    },
  };
};

/** A file that exists from a failed write until the first transaction of a process succeeds. */
const failureMarker = (file: string) => {
  let isCleared = false;
  return {
    exists: () => existsSync(file),
    create() {
      try {
        writeFileSync(file, "");
      } catch {
        // A full disk may be the cause of the failed writes; then the generation is not marked.
      }
    },
    clear() {
      if (!isCleared) rmSync(file, { force: true });
      isCleared = true;
    },
  };
};

/** LMDB rejects every further transaction of a process that failed to write the last page of a commit. */
const reopenRequired = (directory: string, cause: unknown): VitrineError =>
  new VitrineError(
    "reopen",
    `a write to ${directory} failed half way: another process must open the file`,
    "the process ends and is started again; if this happens again, check the disk",
    cause,
  );
