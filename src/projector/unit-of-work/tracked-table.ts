import type { HtmlRenderer, HtmlSource, RenderedRows } from "../../../projections/projection.ts";
import { deepEqual } from "../../platform/deep-equal.ts";
import type { Table } from "../../read-model/schema/tables.ts";
import type { ReadTables, WritableTables } from "../../read-model/store/store.ts";
import { nameEventOnError } from "./projection-errors.ts";

/** The rows of one table during a batch: each is read once, changed in memory and written once. */
export interface TrackedTable<K extends string | number, R> extends RenderedRows<K, R> {
  /** Returns the row before the batch. */
  original(key: K): R | undefined;
  /** Puts the row before the batch back. */
  restore(key: K): void;
  changedKeys(): ReadonlySet<K>;
  /** Returns the rows that the batch had, from the one before it to the current one; those of equal content in a row are one. */
  versions(key: K): readonly (R | undefined)[];
  /** Returns the log sequence of the last event that changed the content of the row; 0 when none did. */
  changedAt(key: K): number;
  /** Returns the log sequence of the last event that stated the row, the same content or not; 0 when none did. */
  statedAt(key: K): number;
  /** Makes one change of those of each row, at a log sequence. */
  joinChanges(sequence: number): void;
  /** Fills the rendered fields of rows whose HTML changed. @throws `projection` with the event that holds the HTML */
  render(renderer: HtmlRenderer): void;
  /** Writes every changed row. @throws when a row is not rendered */
  flush(writable: WritableTables): void;
}

interface TrackedRow<R> {
  readonly original: R | undefined;
  current: R | undefined;
  /** Rows between the two whose content was another; undefined without any. */
  between: (R | undefined)[] | undefined;
  changedAt: number;
  statedAt: number;
}

export type Render<K, R> = (row: R, html: string, renderer: HtmlRenderer, key: K) => R;

/**
 * Creates a tracked table, so that a burst of events about one entity costs one read, one rendering and one write.
 * @param event the event that rows are folded from
 * @param contentOf returns what an event states of a row
 * @param renderRow fills the rendered fields of a row, in a table that has such fields
 */
export const trackTable = <K extends string | number, R>(
  stored: Pick<ReadTables, "get">,
  table: Table<K, R>,
  event: { readonly sequence: number },
  contentOf: (row: R) => unknown,
  renderRow: Render<K, R> = (row) => row,
): TrackedTable<K, R> => {
  const rows = new Map<K, TrackedRow<R>>();
  const changedKeys = new Set<K>();
  const unrendered = new Map<K, HtmlSource>();
  const load = (key: K): TrackedRow<R> => {
    const loaded = rows.get(key);
    if (loaded) return loaded;
    const original = stored.get(table, key);
    const row = { original, current: original, between: undefined, changedAt: 0, statedAt: 0 };
    rows.set(key, row);
    return row;
  };
  const change = (key: K, row: R | undefined): void => {
    load(key).current = row;
    changedKeys.add(key);
  };
  const isSameContent = (one: R | undefined, other: R | undefined): boolean =>
    one === undefined || other === undefined
      ? one === other
      : deepEqual(contentOf(one), contentOf(other));
  const put = (key: K, row: R): void => {
    const tracked = load(key);
    tracked.statedAt = event.sequence;
    if (!isSameContent(tracked.current, row)) recordChange(tracked, event.sequence);
    change(key, row);
  };
  const replace = (key: K, row: R | undefined): void => {
    unrendered.delete(key);
    change(key, row);
  };
  return {
    get: (key) => load(key).current,
    original: (key) => load(key).original,
    put,
    versions(key) {
      const { original, current, between = [], changedAt } = load(key);
      return changedAt === 0 ? [current] : [original, ...between, current];
    },
    changedAt: (key) => rows.get(key)?.changedAt ?? 0,
    statedAt: (key) => rows.get(key)?.statedAt ?? 0,
    joinChanges(sequence) {
      for (const row of rows.values()) {
        row.between = undefined;
        row.statedAt &&= sequence;
        row.changedAt = isSameContent(row.original, row.current) ? 0 : sequence;
      }
    },
    remove: (key) => replace(key, undefined),
    restore: (key) => replace(key, load(key).original),
    setHtml(key, source) {
      if (source) unrendered.set(key, source);
      else unrendered.delete(key);
    },
    changedKeys: () => changedKeys,
    render(renderer) {
      for (const [key, { html, event }] of unrendered) {
        const row = load(key).current;
        if (row !== undefined)
          change(
            key,
            nameEventOnError(event, () => renderRow(row, html, renderer, key)),
          );
        unrendered.delete(key);
      }
    },
    flush(writable) {
      if (unrendered.size > 0) throw new Error(`rows of ${table.name} are not rendered`);
      // Sorted by key, so that LMDB visits each page once.
      for (const key of [...changedKeys].sort(ascending)) {
        const row = rows.get(key)?.current;
        if (row === undefined) writable.remove(table, key);
        else writable.put(table, key, row);
      }
    },
  };
};

const recordChange = <R>(row: TrackedRow<R>, sequence: number): void => {
  if (row.changedAt > 0) {
    row.between ??= [];
    row.between.push(row.current);
  }
  row.changedAt = sequence;
};

const ascending = (one: string | number, other: string | number): number =>
  one < other ? -1 : one > other ? 1 : 0;
