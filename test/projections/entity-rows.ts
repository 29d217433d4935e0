import {
  type EntityRows,
  type EntityTable,
  entityTables,
  type HtmlSource,
  type KeyOf,
  type RenderedRows,
  type RowOf,
} from "../../projections/projection.ts";

type TestRows = { readonly [T in EntityTable]: RenderedRows<KeyOf<T>, RowOf<T>> };

/** Opens empty rows in memory, and records the keys that are written, and the HTML that is to be rendered. */
export const openRows = () => {
  const written = new Map<EntityTable, (string | number)[]>();
  const html = new Map<EntityTable, HtmlSource | null>();
  const open = <T extends EntityTable>(table: T): RenderedRows<KeyOf<T>, RowOf<T>> => {
    const rows = new Map<KeyOf<T>, RowOf<T>>();
    const record = (key: KeyOf<T>): void => {
      written.set(table, [...new Set([...(written.get(table) ?? []), key])]);
    };
    return {
      get: (key) => rows.get(key),
      put(key, row) {
        record(key);
        rows.set(key, row);
      },
      remove(key) {
        record(key);
        rows.delete(key);
      },
      setHtml: (_, source) => void html.set(table, source),
    };
  };
  const rows: EntityRows & TestRows = {
    settings: open("settings"),
    robots: open("robots"),
    categoryStates: open("categoryStates"),
    pages: open("pages"),
    carriers: open("carriers"),
    productCores: open("productCores"),
    prices: open("prices"),
    productTexts: open("productTexts"),
    productPages: open("productPages"),
    variantLists: open("variantLists"),
    variantStates: open("variantStates"),
    stocks: open("stocks"),
    agents: open("agents"),
  };
  return { rows, written, html, tables: entityTables };
};
