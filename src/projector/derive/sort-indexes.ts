import { comparedPrice, nameKey, priceKey } from "../../read-model/reader/sort-keys.ts";
import type { ProductDocument } from "../../read-model/schema/documents.ts";
import { type Table, tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { IndexSettings, IndexSettingsChange } from "./index-settings.ts";

type Visible = ProductDocument | undefined;

/** The orders a listing may be asked in, each kept as an index of all visible products. */
export const keepOrders = (
  stored: WritableTables,
  id: number,
  before: Visible,
  after: Visible,
  { language, currency }: IndexSettings,
): void => {
  const price = (product: ProductDocument): string => priceKeyIn(product, currency);
  const name = (product: ProductDocument): string => nameKey(product.name, language);
  move(stored, tables.priceOrder, id, before && price(before), after && price(after));
  if (before?.name === after?.name) return;
  move(stored, tables.nameOrder, id, before && name(before), after && name(after));
};

/** Every name anew: another language orders them otherwise. */
export const reorderNames = (stored: WritableTables, language: string): void => {
  for (const key of [...stored.keys(tables.nameOrder)]) stored.remove(tables.nameOrder, key);
  for (const [id, { name }] of stored.entries(tables.products)) {
    stored.put(tables.nameOrder, [nameKey(name, language), id], true);
  }
};

/** Moves every product whose place in the order of prices is another in the shop's new currency. */
export const reorderPrices = (
  stored: WritableTables,
  { before, after }: IndexSettingsChange,
): void => {
  for (const [id, product] of stored.entries(tables.products)) {
    const [from, to] = [before, after].map(({ currency }) => priceKeyIn(product, currency));
    move(stored, tables.priceOrder, id, from, to);
  }
};

const priceKeyIn = ({ price }: ProductDocument, currency: string | undefined): string =>
  priceKey(comparedPrice(price, currency));

const move = (
  stored: WritableTables,
  table: Table<readonly [string, number], true>,
  id: number,
  from: string | undefined,
  to: string | undefined,
): void => {
  if (from === to) return;
  if (from !== undefined) stored.remove(table, [from, id]);
  if (to !== undefined) stored.put(table, [to, id], true);
};
