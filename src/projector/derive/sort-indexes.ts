import type { OfferRow } from "../../read-model/schema/documents.ts";
import { nameKey, priceKey, toComparablePrice } from "../../read-model/schema/sort-keys.ts";
import { tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { IndexSettings, IndexSettingsChange } from "./index-settings.ts";
import type { VisibleProduct } from "./products/visible-product.ts";

/** Updates the sort indexes of listings. Each index holds all visible products. */
export const updateSortIndexes = (
  stored: WritableTables,
  id: number,
  before: VisibleProduct | undefined,
  after: VisibleProduct | undefined,
  { language, currency }: IndexSettings,
): void => {
  const [previous, current] = [before, after].map((each) =>
    listPriceRows(id, each?.offer, currency),
  );
  replaceRows(stored, previous ?? [], current ?? []);
  const [oldName, name] = [before?.text.name, after?.text.name];
  if (oldName === name) return;
  if (oldName !== undefined) stored.remove(tables.nameOrder, [nameKey(oldName, language), id]);
  if (name !== undefined) stored.put(tables.nameOrder, [nameKey(name, language), id], true);
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
  for (const [id, offer] of stored.entries(tables.offers)) {
    const [from, to] = [before, after].map(({ currency }) => listPriceRows(id, offer, currency));
    replaceRows(stored, from ?? [], to ?? []);
  }
};

type PriceOrderKey =
  | readonly [key: string, id: number]
  | readonly [key: string, id: number, from: number, until: number];

/** Lists the rows of a product: one for each period with another price. */
const listPriceRows = (
  id: number,
  offer: OfferRow | undefined,
  currency: string | undefined,
): readonly PriceOrderKey[] => {
  const steps: { readonly key: string; readonly from: number }[] = [];
  for (const { price, from } of offer?.periods ?? []) {
    const key = priceKey(toComparablePrice(price, currency));
    if (steps.at(-1)?.key !== key) steps.push({ key, from });
  }
  const [only, ...others] = steps;
  if (only && others.length === 0) return [[only.key, id]];
  return steps.map(({ key, from }, at) => [
    key,
    id,
    from,
    steps[at + 1]?.from ?? Number.MAX_SAFE_INTEGER,
  ]);
};

const replaceRows = (
  stored: WritableTables,
  before: readonly PriceOrderKey[],
  after: readonly PriceOrderKey[],
): void => {
  const keys = (rows: readonly PriceOrderKey[]) => new Set(rows.map((row) => row.join()));
  const [previous, current] = [keys(before), keys(after)];
  for (const row of before) {
    if (!current.has(row.join())) stored.remove(tables.priceOrder, row);
  }
  for (const row of after) {
    if (!previous.has(row.join())) stored.put(tables.priceOrder, row, true);
  }
};
