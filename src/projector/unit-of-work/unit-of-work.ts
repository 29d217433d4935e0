import { renderCategory } from "../../../projections/category.ts";
import { renderPage } from "../../../projections/page.ts";
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
import { tables } from "../../read-model/schema/tables.ts";
import type { ReadTables, WritableTables } from "../../read-model/store/store.ts";
import { type TrackedTable, trackTable } from "./tracked-table.ts";

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
