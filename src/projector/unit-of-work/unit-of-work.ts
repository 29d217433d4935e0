import { renderCategory } from "../../../projections/category.ts";
import { renderPage } from "../../../projections/page.ts";
import { embedDescription } from "../../../projections/product.ts";
import {
  type EntityTable,
  entityTables,
  type HtmlRenderer,
  type HtmlSource,
  type KeyOf,
  type RenderedRows,
  type RowOf,
} from "../../../projections/projection.ts";
import { messageOf, VitrineError } from "../../errors.ts";
import type { ShopEvent } from "../../events/event.ts";
import { quoteForMessage } from "../../events/rejection.ts";
import { isDiskError } from "../../lmdb/error-codes.ts";
import { toRevocationRow } from "../../read-model/operator/model-rows.ts";
import type { RevocationRow } from "../../read-model/operator/rows.ts";
import { type Table, tables } from "../../read-model/schema/tables.ts";
import type { ReadTables, WritableTables } from "../../read-model/store/store.ts";

export type UnitOfWork = { readonly [T in EntityTable]: TrackedTable<KeyOf<T>, RowOf<T>> };

export const openUnitOfWork = (stored: Pick<ReadTables, "get">): UnitOfWork => {
  const productCores = trackTable(stored, tables.productCores);
  const productPages = trackTable(stored, tables.productPages);
  const urlOf = (id: number): string => productCores.get(id)?.group?.content?.url ?? "";
  return {
    settings: trackTable(stored, tables.settings),
    robots: trackTable(stored, tables.robots),
    categoryStates: trackTable(stored, tables.categoryStates, renderCategory),
    pages: trackTable(stored, tables.pages, renderPage),
    carriers: trackTable(stored, tables.carriers),
    productCores,
    prices: trackTable(stored, tables.prices),
    productTexts: trackTable(stored, tables.productTexts, (_, html, renderer, id) => {
      productPages.put(id, embedDescription(renderer.markdown(html), urlOf(id)));
      return renderer.toPlainText(html);
    }),
    productPages,
    variantLists: trackTable(stored, tables.variantLists),
    variantStates: trackTable(stored, tables.variantStates),
    stocks: trackTable(stored, tables.stocks),
    agents: trackTable(stored, tables.agents),
  };
};

/** Access to the rows of a table of which only the name is known. It cannot put a row into another table. */
export type AnyTable = Pick<
  TrackedTable<string | number, unknown>,
  "get" | "original" | "remove" | "restore" | "changedKeys"
>;

export const tableNamed = (unit: UnitOfWork, name: EntityTable): AnyTable => unit[name];

/**
 * Fills the rendered fields of all rows whose HTML changed.
 * @throws `projection` with the event that holds the HTML
 */
export const renderUnitOfWork = (unit: UnitOfWork, renderer: HtmlRenderer): void => {
  for (const name of entityTables) unit[name].render(renderer);
};

/** Writes every changed row. Call `renderUnitOfWork` before. */
export const flushUnitOfWork = (unit: UnitOfWork, writable: WritableTables): void => {
  for (const name of entityTables) unit[name].flush(writable);
};

/** Builds the revocation rows of the agent labels that a batch changed. */
export const collectRevocations = ({
  agents,
}: Pick<UnitOfWork, "agents">): readonly RevocationRow[] =>
  [...agents.changedKeys()].flatMap((label) => {
    const content = agents.get(label)?.content;
    return content ? [toRevocationRow(label, content)] : [];
  });

/** The rows of one table during a batch: each is read once, changed in memory and written once. */
export interface TrackedTable<K extends string | number, R> extends RenderedRows<K, R> {
  /** Returns the row before the batch. */
  original(key: K): R | undefined;
  /** Puts the row before the batch back. */
  restore(key: K): void;
  changedKeys(): ReadonlySet<K>;
  /** Fills the rendered fields of rows whose HTML changed. @throws `projection` with the event that holds the HTML */
  render(renderer: HtmlRenderer): void;
  /** Writes every changed row. @throws when a row is not rendered */
  flush(writable: WritableTables): void;
}

interface TrackedRow<R> {
  readonly original: R | undefined;
  current: R | undefined;
}

type Render<K, R> = (row: R, html: string, renderer: HtmlRenderer, key: K) => R;

/**
 * Creates a tracked table, so that a burst of events about one entity costs one read, one rendering and one write.
 * @param renderRow fills the rendered fields of a row, in a table that has such fields
 */
const trackTable = <K extends string | number, R>(
  stored: Pick<ReadTables, "get">,
  table: Table<K, R>,
  renderRow: Render<K, R> = (row) => row,
): TrackedTable<K, R> => {
  const rows = new Map<K, TrackedRow<R>>();
  const changedKeys = new Set<K>();
  const unrendered = new Map<K, HtmlSource>();
  const load = (key: K): TrackedRow<R> => {
    const loaded = rows.get(key);
    if (loaded) return loaded;
    const original = stored.get(table, key);
    const row = { original, current: original };
    rows.set(key, row);
    return row;
  };
  const change = (key: K, row: R | undefined): void => {
    load(key).current = row;
    changedKeys.add(key);
  };
  const replace = (key: K, row: R | undefined): void => {
    unrendered.delete(key);
    change(key, row);
  };
  return {
    get: (key) => load(key).current,
    original: (key) => load(key).original,
    put: change,
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

const ascending = (one: string | number, other: string | number): number =>
  one < other ? -1 : one > other ? 1 : 0;

/** Runs a step of a projection. @throws `projection` with the event that the step belongs to */
export const nameEventOnError = <T>(event: ShopEvent, step: () => T): T => {
  try {
    return step();
  } catch (cause) {
    const { type, logSequence, id } = event;
    throw toProjectionError(
      `the projection of ${type} failed at sequence ${logSequence} (event ${quoteForMessage(id)})`,
      cause,
    );
  }
};

/**
 * Builds the error of a batch that cannot be written. The error names all its events, because derived rows follow from
 * several events. Errors of LMDB and the system are returned unchanged, because a retry may succeed.
 * @param from sequence of the first event
 * @param to sequence of the last event
 */
export const toBatchError = (cause: unknown, from: number, to: number): unknown =>
  toProjectionError(`deriving tables failed for events ${from} to ${to}`, cause);

/** Builds a projection error. A damaged model page and an error of LMDB or the system are returned unchanged. */
const toProjectionError = (failure: string, cause: unknown): unknown =>
  cause instanceof VitrineError || isDiskError(cause)
    ? cause
    : new VitrineError(
        "projection",
        `${failure}: ${messageOf(cause)}`,
        "this is a bug in Vitrine, not in the event; reads go on with the model as it is",
        cause,
      );
