import { readMembers, readText } from "../members.ts";
import { latestTime } from "../times.ts";
import type { Translation } from "../translation.ts";
import type { FindProduct } from "./product.ts";
import type { ResourceRow, StoredProduct, VariationRow, WooCommerceTables } from "./state.ts";
import { readId } from "./values.ts";
import { spellChoices } from "./variation.ts";

export type WooCommerceTranslation = Translation<WooCommerceTables>;

const emptyProduct: StoredProduct = {
  time: "",
  bodyTime: "",
  listed: [],
  listedTime: "",
  held: [],
  attributes: [],
};

/** Returns a product, also one before its first body. */
export const getProduct = (translation: WooCommerceTranslation, id: number): StoredProduct =>
  translation.get("products", String(id)) ?? emptyProduct;

/**
 * Whether a body is the newest of its resource; of equal times the later arrival is.
 * @param isRestored it ends a deletion, whose time is that of an arrival
 */
export const isNewest = (
  { isDeleted, bodyTime, time }: ResourceRow,
  newTime: string,
  isRestored: boolean,
): boolean => (isDeleted ? newTime > (isRestored ? bodyTime : time) : newTime >= bodyTime);

/**
 * Stores a variation, and adds its events, never older than those before.
 * @param wasShown whether its parent has it until now
 */
export const putVariation = (
  translation: WooCommerceTranslation,
  row: VariationRow,
  wasShown: boolean,
  changedAt: string,
): void => {
  const { productId, isShown, data, choices, hadStock = false } = row;
  const ids = { productId, id: data.id };
  const time = latestTime(changedAt, row.time);
  const product = getProduct(translation, productId);
  if (isShown) {
    const options = spellChoices(choices, product.attributes);
    translation.add({ type: "shop.variant.upserted", data: { ...ids, ...data, options }, time });
  } else if (wasShown) {
    translation.add({ type: "shop.variant.deleted", data: ids, time });
  }
  const own = row.isManaged || !product.isShared ? row.stock : null;
  const stock = own ?? (hadStock ? product.stock : undefined);
  if (isShown && stock) {
    const stockData = { productId, variantId: data.id, ...stock };
    translation.add({ type: "shop.stock.changed", data: stockData, time });
  }
  const changed = { ...row, time, hadStock: hadStock || (isShown && stock !== undefined) };
  translation.put("variations", String(data.id), changed);
};

const hideVariation = (
  translation: WooCommerceTranslation,
  row: VariationRow,
  changedAt: string,
): void => putVariation(translation, { ...row, isShown: false }, row.isShown, changedAt);

/**
 * Deletes a product or variation. Its time stays, because an older body may arrive later.
 * @returns false for a deletion that was translated before: its only time is that of its arrival, which a retry keeps
 */
export const removeResource = (
  translation: WooCommerceTranslation,
  id: number,
  deletedAt: string,
): boolean => {
  const variation = translation.get("variations", String(id));
  const existing = variation ?? getProduct(translation, id);
  if (existing.deletedAt !== undefined && existing.deletedAt >= deletedAt) return false;
  if (variation) {
    const row = { ...variation, isDeleted: true, deletedAt };
    hideVariation(translation, row, deletedAt);
  } else removeProduct(translation, id, deletedAt);
  return true;
};

const removeProduct = (
  translation: WooCommerceTranslation,
  id: number,
  deletedAt: string,
): void => {
  const row = getProduct(translation, id);
  const time = latestTime(deletedAt, row.time);
  translation.add({ type: "shop.product.deleted", data: { id }, time });
  translation.put("products", String(id), { ...row, time, isDeleted: true, deletedAt });
  for (const each of row.held) {
    const held = translation.get("variations", String(each));
    if (held?.isShown) hideVariation(translation, held, time);
  }
};

export const putSku = (
  translation: WooCommerceTranslation,
  sku: string | undefined,
  id: number,
): void => {
  if (sku !== undefined && sku.length <= maxSkuLength) translation.put("skus", sku, id);
};

/** Finds products by id, and by the `{ "sku" }` that a row of a file may have in its stead. */
export const findProduct =
  (translation: WooCommerceTranslation): FindProduct =>
  (value) => {
    const sku = readText(readMembers(value)?.["sku"]) ?? "";
    return sku.length > maxSkuLength ? undefined : (translation.get("skus", sku) ?? readId(value));
  };

/** Bound on a key. The contract has the same for SKUs. */
const maxSkuLength = 100;
