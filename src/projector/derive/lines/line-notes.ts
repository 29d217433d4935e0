import {
  type LineKind,
  type LineRow,
  lineChangesLength,
  lineKey,
  lineKeysOf,
  maxListedLines,
} from "../../../read-model/schema/lines.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";

/** Whether surfaces show a line after a batch, and whether they did at any time of it. */
interface LineState {
  readonly isShown: boolean;
  readonly wasShown: boolean;
}

/** Receives the lines that a batch changed. */
export interface LineNotes {
  /** Notes a change of a line. @param at log sequence of the event; 0 when none changed it */
  note(kind: LineKind, id: string | number, at: number, state: LineState): void;
  /** Notes a change of all lines of a kind. @param at log sequence of the event; 0 when none did */
  noteAll(kind: LineKind, at: number): void;
}

/**
 * Writes the lines that a batch changed (Contract §11).
 * @param to log sequence of the last event of the batch
 * @param collect notes the lines
 */
export const writeLines = (
  stored: WritableTables,
  to: number,
  collect: (notes: LineNotes) => void,
): void => {
  const written = new Set<string>();
  const put = (key: string, row: LineRow): void => {
    stored.put(tables.lines, key, row);
    written.add(key);
  };
  const kinds: (readonly [kind: LineKind, at: number])[] = [];
  collect({
    note(kind, id, at, state) {
      const key = lineKey(kind, id);
      if (at > 0 && mustWrite(stored, key, state))
        put(key, state.isShown ? { at } : { at, removed: true });
    },
    noteAll(kind, at) {
      if (at > 0) kinds.push([kind, at]);
    },
  });
  // After the others, so that the lines of this batch are among them.
  for (const [kind, at] of kinds)
    for (const [key, row] of stored.scan(tables.lines, lineKeysOf(kind)))
      if (!row.removed && row.at < at) put(key, { at });
  if (written.size > 0) appendChanges(stored, to, written);
};

/** A line that never was shown is not written, and one that is removed is not written again. */
const mustWrite = (
  stored: WritableTables,
  key: string,
  { isShown, wasShown }: LineState,
): boolean => {
  if (isShown || wasShown) return true;
  const row = stored.get(tables.lines, key);
  return row !== undefined && !row.removed;
};

const appendChanges = (stored: WritableTables, to: number, written: ReadonlySet<string>): void => {
  const [last = 0] = stored.keys(tables.lineChanges, { reverse: true, limit: 1 });
  const lines = written.size > maxListedLines ? null : [...written];
  stored.put(tables.lineChanges, last + 1, { to, lines });
  stored.remove(tables.lineChanges, last + 1 - lineChangesLength);
};
