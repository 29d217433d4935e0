import { renderCategory } from "../../../projections/category.ts";
import { renderPage } from "../../../projections/page.ts";
import { currentPrices } from "../../../projections/price.ts";
import { embedDescription } from "../../../projections/product.ts";
import {
  type EntityTable,
  entityTables,
  type HtmlRenderer,
  type KeyOf,
  type RowOf,
} from "../../../projections/projection.ts";
import { toRevocationRow } from "../../read-model/operator/model-rows.ts";
import type { RevocationRow } from "../../read-model/operator/rows.ts";
import type { FieldGroup } from "../../read-model/schema/rows.ts";
import { type Table, tables } from "../../read-model/schema/tables.ts";
import type { ReadTables, WritableTables } from "../../read-model/store/store.ts";
import { type Render, type TrackedTable, trackTable } from "./tracked-table.ts";

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
