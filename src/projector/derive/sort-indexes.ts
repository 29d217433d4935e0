import type { OfferRow } from "../../read-model/schema/documents.ts";
import { nameKey, priceKey, toComparablePrice } from "../../read-model/schema/keys.ts";
import { tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { IndexSettingsChange } from "./derivation.ts";
import type { VisibleProduct } from "./products/visible-product.ts";
import { replaceKeys } from "./set-diff.ts";

/** Updates the sort indexes of listings. Each index holds all visible products. */
export const updateSortIndexes = (
  stored: WritableTables,
  id: number,
  before: VisibleProduct | undefined,
  after: VisibleProduct | undefined,
  settings: IndexSettingsChange,
): void => {
  const [previous, current] = [
    { offer: before?.offer, name: before?.text.name, ...settings.before },
    { offer: after?.offer, name: after?.text.name, ...settings.after },
  ];
  replaceKeys(stored, tables.priceOrder, [previous, current], ({ offer, currency }) =>
    listPriceRows(id, offer, currency),
  );
  if (previous.name === current.name && previous.language === current.language) return;
  replaceKeys(stored, tables.nameOrder, [previous, current], ({ name, language }) =>
    name === undefined ? [] : [[nameKey(name, language), id] as const],
  );
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
