import { nameKey, priceKey, toComparablePrice } from "../../read-model/reader/sort-keys.ts";
import type { ProductDocument } from "../../read-model/schema/documents.ts";
import { tables } from "../../read-model/schema/tables.ts";
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
  replaceRows(stored, listPriceRows(before, currency), listPriceRows(after, currency));
  if (before?.name === after?.name) return;
  if (before) stored.remove(tables.nameOrder, [nameKey(before.name, language), id]);
  if (after) stored.put(tables.nameOrder, [nameKey(after.name, language), id], true);
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
  for (const [, product] of stored.entries(tables.products)) {
    const [from, to] = [before, after].map(({ currency }) => listPriceRows(product, currency));
    replaceRows(stored, from ?? [], to ?? []);
  }
};

type PriceRow =
  | readonly [key: string, id: number]
  | readonly [key: string, id: number, from: number, until: number];

/** Lists the rows of a product: one for each period with another price. */
const listPriceRows = (
  product: MaybeDocument,
  currency: string | undefined,
): readonly PriceRow[] => {
  if (!product) return [];
  const keyOf = (price: ProductDocument["price"]): string =>
    priceKey(toComparablePrice(price, currency));
  const steps: { readonly key: string; readonly from: number }[] = [];
  for (const { price, from } of product.offers?.periods ?? [{ price: product.price, from: 0 }]) {
    const key = keyOf(price);
    if (steps.at(-1)?.key !== key) steps.push({ key, from });
  }
  const [only, ...others] = steps;
  if (only && others.length === 0) return [[only.key, product.id]];
  return steps.map(({ key, from }, at) => [
    key,
    product.id,
    from,
    steps[at + 1]?.from ?? Number.MAX_SAFE_INTEGER,
  ]);
};

const replaceRows = (
  stored: WritableTables,
  before: readonly PriceRow[],
  after: readonly PriceRow[],
): void => {
  const keys = (rows: readonly PriceRow[]) => new Set(rows.map((row) => row.join()));
  const [previous, current] = [keys(before), keys(after)];
  for (const row of before) {
    if (!current.has(row.join())) stored.remove(tables.priceOrder, row);
  }
  for (const row of after) {
    if (!previous.has(row.join())) stored.put(tables.priceOrder, row, true);
  }
};
