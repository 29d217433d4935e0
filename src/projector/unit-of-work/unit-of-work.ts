import { renderCategory } from "../../../projections/category.ts";
import { renderPage } from "../../../projections/page.ts";
import { currentPrices } from "../../../projections/price.ts";
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
import { deepEqual } from "../../platform/deep-equal.ts";
import { toRevocationRow } from "../../read-model/operator/model-rows.ts";
import type { RevocationRow } from "../../read-model/operator/rows.ts";
import type { FieldGroup } from "../../read-model/schema/rows.ts";
import { type Table, tables } from "../../read-model/schema/tables.ts";
import type { ReadTables, WritableTables } from "../../read-model/store/store.ts";

type EntityTables = { readonly [T in EntityTable]: TrackedTable<KeyOf<T>, RowOf<T>> };

export interface UnitOfWork extends EntityTables {
  /** Sets the log sequence of the event that the next rows are folded from. */
  beginEvent(sequence: number): void;
  /** Makes one change of all that was folded, at a log sequence: the rows between are forgotten. */
  joinChanges(sequence: number): void;
}

export const openUnitOfWork = (stored: Pick<ReadTables, "get">): UnitOfWork => {
  const event = { sequence: 0 };
  const track = <K extends string | number, R>(
    table: Table<K, R>,
    contentOf: (row: R) => unknown,
    renderRow?: Render<K, R>,
  ) => trackTable(stored, table, event, contentOf, renderRow);
  const productCores = track(tables.productCores, ({ group }) => group?.content);
  const productPages = track(tables.productPages, (row) => row);
  const urlOf = (id: number): string => productCores.get(id)?.group?.content?.url ?? "";
  const unit: EntityTables = {
    settings: track(tables.settings, contentOfGroup),
    robots: track(tables.robots, contentOfGroup),
    categoryStates: track(tables.categoryStates, contentOfGroup, renderCategory),
    pages: track(tables.pages, contentOfGroup, renderPage),
    carriers: track(tables.carriers, contentOfGroup),
    productCores,
    prices: track(tables.prices, (row) => currentPrices(row)?.priceGroup),
    productTexts: track(
      tables.productTexts,
      (row) => row,
      (_, html, renderer, id) => {
        productPages.put(id, embedDescription(renderer.markdown(html), urlOf(id)));
        return renderer.toPlainText(html);
      },
    ),
    productPages,
    variantLists: track(tables.variantLists, contentOfGroup),
    variantStates: track(tables.variantStates, contentOfGroup),
    stocks: track(tables.stocks, ({ content, quantity }) => [content, quantity]),
    agents: track(tables.agents, contentOfGroup),
  };
  return {
    ...unit,
    beginEvent(sequence) {
      event.sequence = sequence;
    },
    joinChanges(sequence) {
      for (const name of entityTables) unit[name].joinChanges(sequence);
    },
  };
};

const contentOfGroup = <C>({ content }: FieldGroup<C>): C | null => content;

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

type Render<K, R> = (row: R, html: string, renderer: HtmlRenderer, key: K) => R;

/**
 * Creates a tracked table, so that a burst of events about one entity costs one read, one rendering and one write.
 * @param event the event that rows are folded from
 * @param contentOf returns what an event states of a row
 * @param renderRow fills the rendered fields of a row, in a table that has such fields
 */
const trackTable = <K extends string | number, R>(
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
