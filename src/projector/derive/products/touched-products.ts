import type { ProductTable } from "../../../../projections/entities.ts";
import { showStockRow } from "../../../../projections/stock.ts";
import { type OfferPolicy, showsQuantities } from "../../../offers/policy.ts";
import { deepEqual } from "../../../platform/deep-equal.ts";
import { productOfKey } from "../../../read-model/schema/keys.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import type { UnitOfWork } from "../../unit-of-work/unit-of-work.ts";
import { type IndexSettingsChange, readIndexSettings } from "../derivation.ts";

/** Finds the products whose visible data a batch may have changed. */
export const findTouchedProducts = (batch: UnitOfWork): ReadonlySet<number> =>
  findProducts(batch, touchedProducts);

/** Finds the products that a batch changed in more than their prices and their stock. */
export const findChangedExceptOffers = (batch: UnitOfWork): ReadonlySet<number> => {
  const { stocks: _, prices: __, ...others } = touchedProducts;
  return findProducts(batch, others);
};

const productsOfKeys = (keys: Iterable<number | string>): ReadonlySet<number> =>
  new Set(Array.from(keys, productOfKey));

type FindProducts = (batch: UnitOfWork) => Iterable<number>;

const findProducts = (
  batch: UnitOfWork,
  finds: Readonly<Record<string, FindProducts>>,
): ReadonlySet<number> => new Set(Object.values(finds).flatMap((find) => [...find(batch)]));

/** Finds touched products by the table that changed. */
const touchedProducts: Readonly<Record<ProductTable, FindProducts>> = {
  productCores: ({ productCores }) => productCores.changedKeys(),
  prices: ({ prices }) => productsOfKeys(prices.changedKeys()),
  // A text never changes without its core.
  productTexts: () => [],
  productPages: () => [],
  variantLists: ({ variantLists }) => variantLists.changedKeys(),
  variantStates: ({ variantStates }) => productsOfKeys(variantStates.changedKeys()),
  stocks: (batch) => {
    const { policy } = readIndexSettings(batch).after;
    const keys = [...batch.stocks.changedKeys()];
    return productsOfKeys(keys.filter((key) => changesShownStock(batch, key, policy)));
  },
};

/** Whether a stock event changes what is shown. Most change only a quantity, which few shops show. */
const changesShownStock = (
  { stocks }: UnitOfWork,
  key: number | string,
  policy: OfferPolicy,
): boolean => {
  const [before, after] = [stocks.original(key), stocks.get(key)];
  // Of events of one time only what is shown differs; only the dates differ where a batch changes a stock and changes it back.
  const [previous, current] = [before, after].map((row) => showStockRow(row, policy));
  return (
    before?.contentChangedAt !== after?.contentChangedAt ||
    (showsQuantities(policy) && before?.quantityChangedAt !== after?.quantityChangedAt) ||
    !deepEqual(before?.content, after?.content) ||
    !deepEqual(previous, current)
  );
};

/**
 * Reads the visible products whose offers depend on the settings that a batch changed: those whose prices or dates change, or all when
 * quantities are shown in another way.
 */
export const readProductsOfSettings = (
  stored: WritableTables,
  { before, after }: IndexSettingsChange,
): readonly number[] => {
  if (before.currency === after.currency && deepEqual(before.policy, after.policy)) return [];
  const ids = [...stored.keys(tables.products)];
  const [previous, current] = [before, after].map(({ policy }) => [
    ...[policy.quantityVisible, policy.lowStockThreshold],
  ]);
  return deepEqual(previous, current)
    ? ids.filter((id) => stored.get(tables.offers, id)?.changes)
    : ids;
};

/** Reads the visible products of which every price or name is indexed in another way. */
export const readReindexedProducts = (
  stored: WritableTables,
  { before, after }: IndexSettingsChange,
): readonly number[] =>
  before.language === after.language && before.currency === after.currency
    ? []
    : [...stored.keys(tables.products)];
