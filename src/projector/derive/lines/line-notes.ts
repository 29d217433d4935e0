import {
  kindsOf,
  type LineKind,
  type LineRow,
  lineChangesLength,
  lineRangesOf,
  maxListedLines,
} from "../../../read-model/schema/lines.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";

/** What a batch changed of a line. */
export interface LineChange {
  /** Log sequence of the last event that changed it; 0 when none did. */
  readonly at: number;
  /** Whether surfaces show it after the batch. */
  readonly isShown: boolean;
  /** Whether they did at any time of the batch. */
  readonly wasShown: boolean;
}

/** Receives the lines that a batch changed. */
export interface LineNotes {
  /** Notes the changes of the lines of an entity, in the sequence of their kinds. */
  note(key: string, changes: readonly LineChange[]): void;
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
    note(key, changes) {
      if (changes.every(({ at }) => at === 0)) return;
      const before = changes.every(isPublic) ? [] : (stored.get(tables.lines, key) ?? []);
      const row = changes.map((change, index) => toLastChange(change, before[index] ?? 0));
      if (row.some((last, index) => last !== (before[index] ?? 0))) put(key, row);
    },
    noteAll(kind, at) {
      if (at > 0) kinds.push([kind, at]);
    },
  });
  // After the others, so that the lines of this batch are among them.
  for (const [kind, at] of kinds) changeAll(stored, kind, at, put);
  if (written.size > 0) appendChanges(stored, to, written);
};

/** Whether a change may be published: that of a line that never was shown may not. */
const isPublic = ({ at, isShown, wasShown }: LineChange): boolean =>
  at > 0 && (isShown || wasShown);

/** A line that is removed is not removed again. */
const toLastChange = (change: LineChange, before: number): number => {
  if (!isPublic(change) && (change.at === 0 || before <= 0)) return before;
  return change.isShown ? change.at : -change.at;
};

const changeAll = (
  stored: WritableTables,
  kind: LineKind,
  at: number,
  put: (key: string, row: LineRow) => void,
): void => {
  for (const range of lineRangesOf(new Set([kind])))
    for (const [key, row] of stored.scan(tables.lines, range)) {
      const index = kindsOf(key).indexOf(kind);
      const last = row[index] ?? 0;
      if (last > 0 && last < at) put(key, row.with(index, at));
    }
};

const appendChanges = (stored: WritableTables, to: number, written: ReadonlySet<string>): void => {
  const [last = 0] = stored.keys(tables.lineChanges, { reverse: true, limit: 1 });
  const lines = written.size > maxListedLines ? null : [...written];
  stored.put(tables.lineChanges, last + 1, { to, lines });
  stored.remove(tables.lineChanges, last + 1 - lineChangesLength);
};
