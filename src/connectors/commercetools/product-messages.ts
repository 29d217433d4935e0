import { refused } from "../delivery.ts";
import { reserveId, type Translation } from "../translation.ts";
import { nextVersion, older, olderProduct, sharedNumber } from "./message.ts";
import { readProjection } from "./product.ts";
import type { CommercetoolsTables, MessageHandler } from "./state.ts";
import { joinVariant } from "./stock.ts";

/** Handles `ProductPublished`, which has all of the product. */
export const publishProduct: MessageHandler = (translation, connection, message) => {
  const { entity } = message;
  const { currency } = connection;
  if (currency === undefined) return refused("", 'needs "currency" in the connection');
  const key = String(entity.id);
  const existing = translation.get("products", key);
  const version = nextVersion(message, existing);
  if (!version) return olderProduct(entity.id);
  const { time } = version;
  const { leaveOut } = translation;
  const context = { ...connection, currency, time: message.time, leaveOut };
  const product = readProjection(message, context);
  if ("outcome" in product) return product;
  if (!reserveId(translation, "product", entity)) return sharedNumber;
  translation.add({ type: "shop.product.upserted", data: product.data, time });
  const skus = product.variants.flatMap(({ sku }) => sku ?? []);
  removeJoins(
    translation,
    entity.id,
    existing?.skus.filter((sku) => !skus.includes(sku)),
  );
  translation.put("products", key, { ...version, skus });
  for (const { id: variantId, sku, counted } of product.variants) {
    joinVariant(translation, connection, sku, { productId: entity.id, variantId, counted, time });
  }
  return undefined;
};

/** Handles `ProductUnpublished` and deletions. The row stays, because an older message may arrive later. */
export const removeProduct: MessageHandler = (translation, _, message) => {
  const { id } = message.entity;
  const existing = translation.get("products", String(id));
  const version = nextVersion(message, existing);
  if (!version) return older;
  translation.add({ type: "shop.product.deleted", data: { id }, time: version.time });
  removeJoins(translation, id, existing?.skus);
  translation.put("products", String(id), { ...version, skus: [] });
  return undefined;
};

/** Removes the joins of SKUs that no other product has by now. Their entries stay. */
const removeJoins = (
  translation: Translation<CommercetoolsTables>,
  productId: number,
  skus: readonly string[] = [],
): void => {
  for (const sku of skus) {
    const { variant, entries } = translation.get("skus", sku) ?? { entries: {} };
    if (variant?.productId !== productId) continue;
    translation.put("skus", sku, Object.keys(entries).length > 0 ? { entries } : undefined);
  }
};
