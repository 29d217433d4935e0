import {
  type ChangedLine,
  type ChangesQuery,
  type Line,
  type LineKind,
  type LineRow,
  lineKeysOf,
  lineKinds,
  maxListedLines,
  parseLineKey,
} from "../../schema/lines.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { findEdges, lineKeysOfProduct } from "./edges.ts";

/** State of the shop that lines are read from. */
interface ReadState {
  /** Log sequence of the checkpoint. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Finds the lines that changed, in the sequence of their keys.
 * @returns the last key that was read, when not all were; undefined at the end
 */
export function* findChangedLines(
  stored: ReadTables,
  { since, instant, kinds, after = "", maxKeys }: ChangesQuery,
  { sequence, now }: ReadState,
): Generator<ChangedLine, string | undefined> {
  const edges = since === 0 ? undefined : findEdges(stored, kinds, instant, now);
  // A retried dead letter changes lines after the checkpoint: a follower at the checkpoint hears of it with the next event.
  const isChanged = ({ at, removed }: LineRow, line: Line): boolean =>
    edges
      ? (at > since && (at <= sequence || since < sequence)) || (!removed && edges.concern(line))
      : !removed;
  const keys = edges?.products && listChangedKeys(stored, since, edges.products);
  let scanned = 0;
  for (const [key, row] of keys ? readRows(stored, keys, after) : scanRows(stored, kinds, after)) {
    const line = parseLineKey(key);
    if (kinds.has(line.kind) && isChanged(row, line))
      yield { key, line, isRemoved: row.removed === true };
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
    for (const key of lineKeysOfProduct(stored, product)) keys.add(key);
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
  kinds: ReadonlySet<LineKind>,
  after: string,
): Generator<readonly [string, LineRow]> {
  for (const kind of sortedKinds) {
    const { start, end } = lineKeysOf(kind);
    if (!kinds.has(kind) || after >= end) continue;
    // No key lies between a key and the same key with a NUL.
    const from = after > start ? `${after}\0` : start;
    yield* stored.entries(tables.lines, { start: from, end });
  }
}

/** In the sequence of their keys. */
const sortedKinds = [...lineKinds].sort();
