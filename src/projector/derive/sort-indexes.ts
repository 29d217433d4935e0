import { nameKey, priceKey, toComparablePrice } from "../../read-model/reader/sort-keys.ts";
import type { ProductDocument } from "../../read-model/schema/documents.ts";
import { type Table, tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { IndexSettings, IndexSettingsChange } from "./index-settings.ts";

type MaybeDocument = ProductDocument | undefined;

/** Updates the sort indexes of listings. Each index holds all visible products. */
export const updateSortIndexes = (
  stored: WritableTables,
  id: number,
  before: MaybeDocument,
  after: MaybeDocument,
  { language, currency }: IndexSettings,
): void => {
  const price = (product: ProductDocument): string => getPriceKey(product, currency);
  const name = (product: ProductDocument): string => nameKey(product.name, language);
  moveRow(stored, tables.priceOrder, id, before && price(before), after && price(after));
  if (before?.name === after?.name) return;
  moveRow(stored, tables.nameOrder, id, before && name(before), after && name(after));
};

/** Rebuilds the name index, because another language sorts names differently. */
export const rebuildNameIndex = (stored: WritableTables, language: string): void => {
  for (const key of [...stored.keys(tables.nameOrder)]) stored.remove(tables.nameOrder, key);
  for (const [id, { name }] of stored.entries(tables.products)) {
    stored.put(tables.nameOrder, [nameKey(name, language), id], true);
  }
};

/** Moves every product whose price key changes with the shop's currency. */
export const updatePriceIndex = (
  stored: WritableTables,
  { before, after }: IndexSettingsChange,
): void => {
  for (const [id, product] of stored.entries(tables.products)) {
    const [from, to] = [before, after].map(({ currency }) => getPriceKey(product, currency));
    moveRow(stored, tables.priceOrder, id, from, to);
  }
};

const getPriceKey = ({ price }: ProductDocument, currency: string | undefined): string =>
  priceKey(toComparablePrice(price, currency));

const moveRow = (
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
