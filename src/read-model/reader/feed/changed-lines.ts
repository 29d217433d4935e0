import {
  type ChangedLine,
  type ChangedLines,
  type ChangesQuery,
  idOfKey,
  kindsOf,
  type Line,
  type LineRow,
  lineKeysOfProduct,
  lineRangesOf,
  maxListedLines,
} from "../../schema/lines.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { findEdges } from "./edges.ts";

/** State of the shop that lines are read from. */
interface ReadState {
  /** Log sequence of the checkpoint. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Finds the lines that changed, in the sequence of the keys of their rows.
 * @returns the last key that was read, when not all were; undefined at the end
 */
export function* findChangedLines(
  stored: ReadTables,
  { since, instant, kinds, after = "", maxKeys }: ChangesQuery,
  { sequence, now }: ReadState,
): Generator<ChangedLines, string | undefined> {
  const edges = since === 0 ? undefined : findEdges(stored, kinds, instant, now);
  // A retried dead letter changes lines after the checkpoint: a follower at the checkpoint hears of it with the next event.
  const isChanged = (at: number, isRemoved: boolean, line: Line): boolean =>
    edges
      ? (at > since && (at <= sequence || since < sequence)) || (!isRemoved && edges.concern(line))
      : !isRemoved;
  const selectChanged = (key: string, row: LineRow): readonly ChangedLine[] =>
    kindsOf(key).flatMap((kind, index) => {
      const [last, line] = [row[index] ?? 0, { kind, id: idOfKey(key) }];
      const isRemoved = last < 0;
      if (last === 0 || !kinds.has(kind) || !isChanged(Math.abs(last), isRemoved, line)) return [];
      return [{ line, isRemoved }];
    });
  const keys = edges?.products && listChangedKeys(stored, since, edges.products);
  let scanned = 0;
  for (const [key, row] of keys ? readRows(stored, keys, after) : scanRows(stored, kinds, after)) {
    const lines = selectChanged(key, row);
    if (lines.length > 0) yield { key, lines };
    scanned += 1;
    if (scanned === maxKeys) return key;
  }
  return undefined;
}

/**
 * Lists the keys of lines that may have changed, from the latest batches and from products that changed without an event.
 * @returns undefined when the batches do not reach back to `since`, or there are too many lines
 */
const listChangedKeys = (
  stored: ReadTables,
  since: number,
  products: ReadonlySet<number>,
): ReadonlySet<string> | undefined => {
  const keys = new Set<string>();
  for (const product of products) {
    for (const key of stored.keys(tables.lines, lineKeysOfProduct(product))) keys.add(key);
    if (keys.size > maxListedLines) return undefined;
  }
  let oldest = 1;
  for (const [number, { to, lines }] of stored.entries(tables.lineChanges, { reverse: true })) {
    if (to <= since) return keys;
    for (const key of lines ?? []) keys.add(key);
    if (lines === null || keys.size > maxListedLines) return undefined;
    oldest = number;
  }
  return oldest === 1 ? keys : undefined;
};

function* readRows(
  stored: ReadTables,
  keys: Iterable<string>,
  after: string,
): Generator<readonly [string, LineRow]> {
  for (const key of [...keys].filter((each) => each > after).sort()) {
    const row = stored.get(tables.lines, key);
    if (row) yield [key, row];
  }
}

function* scanRows(
  stored: ReadTables,
  kinds: ChangesQuery["kinds"],
  after: string,
): Generator<readonly [string, LineRow]> {
  for (const { start, end } of lineRangesOf(kinds)) {
    if (after >= end) continue;
    // No key lies between a key and the same key with a NUL.
    const from = after > start ? `${after}\0` : start;
    yield* stored.entries(tables.lines, { start: from, end });
  }
}
