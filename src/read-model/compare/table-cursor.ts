import { createHash } from "node:crypto";
import { compareKeys, type Key as LmdbKey } from "lmdb";
import type { Key } from "../schema/tables.ts";

/** A row as a walk finds it. */
export interface Row {
  readonly key: Key;
  readonly record: Buffer;
  /** Its key is not where its table's order has it. */
  readonly isMisplaced: boolean;
}

/** A table from its first row to its last, with a digest of what was seen. */
export interface Walk {
  /** The row it has come to; undefined at the end. */
  row(): Row | undefined;
  step(): void;
  /** Rows behind it. */
  count(): number;
  /** Of the rows behind it, as `Store.digest` makes it. */
  digest(): string;
}

/** A damaged key breaks the order: it is told where it stands, and the order of the others goes on without it. */
export const walk = (open: () => Iterable<readonly [Key, Buffer]>): Walk => {
  const hash = createHash("sha256");
  let count = 0;
  let placed: Key | undefined;
  let rest: Iterator<readonly [Key, Buffer]> | undefined;
  let ahead: readonly [Key, Buffer] | undefined;
  let row: Row | undefined;
  const read = (): void => {
    const next = rest?.next();
    ahead = next?.done ? undefined : next?.value;
  };
  const take = (): Row | undefined => {
    if (!ahead) return undefined;
    const [key, record] = ahead;
    read();
    const isBehind = isBefore(key, placed);
    const isAhead = isBefore(ahead?.[0], key) && !isBefore(ahead?.[0], placed);
    if (!isBehind && !isAhead) placed = key;
    return { key, record, isMisplaced: isBehind || isAhead };
  };
  const begin = (): void => {
    if (rest) return;
    rest = open()[Symbol.iterator]();
    read();
    row = take();
  };
  return {
    row() {
      begin();
      return row;
    },
    step() {
      if (!row) return;
      count += 1;
      hash.update(JSON.stringify(row.key)).update("\0").update(row.record).update("\n");
      row = take();
    },
    count: () => count,
    digest: () => hash.digest("hex"),
  };
};

const isBefore = (one: Key | undefined, other: Key | undefined): boolean =>
  one !== undefined && other !== undefined && compareKeys(one as LmdbKey, other as LmdbKey) < 0;

/** Which of two rows comes first; one that is misplaced comes at once, and has no partner. */
export const orderOf = (one: Row | undefined, other: Row | undefined): number => {
  if (!other || one?.isMisplaced) return -1;
  if (!one || other.isMisplaced) return 1;
  return compareKeys(one.key as LmdbKey, other.key as LmdbKey);
};
