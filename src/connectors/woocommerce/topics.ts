import type { Refused } from "../delivery.ts";
import type { Members } from "../members.ts";
import { latestTime } from "../times.ts";
import { addCategories } from "./categories.ts";
import {
  findProduct,
  getProduct,
  isNewest,
  putSku,
  putVariation,
  type WooCommerceTranslation,
} from "./changes.ts";
import { readProduct } from "./product.ts";
import type { KeptMembers, StoredProduct, WooCommerceConnection } from "./state.ts";
import type { PricedConnection } from "./values.ts";
import { readVariation } from "./variation.ts";

export interface ResourceBody {
  readonly id: number;
  readonly body: Members;
  readonly bodyTime: string;
  /** Whether it comes with `product.restored`. */
  readonly isRestored: boolean;
}

interface StatedMembers {
  readonly url: string;
  readonly rating: KeptMembers["rating"] | undefined;
  readonly categoryIds: readonly number[] | undefined;
}

type BodyHandler = (
  translation: WooCommerceTranslation,
  connection: PricedConnection,
  resource: ResourceBody,
) => Refused | undefined;

export const upsertProduct: BodyHandler = (translation, connection, resource) => {
  const { id, body, bodyTime } = resource;
  const product = readProduct(id, body, connection, findProduct(translation));
  if ("outcome" in product) return product;
  const { data, hasStock, stock, sku, listed, ...members } = product;
  const existing = getProduct(translation, id);
  const time = latestTime(bodyTime, existing.time);
  const categoryIds = addCategories(translation, connection, body, time);
  const kept = keepMembers({ ...data, categoryIds }, connection, existing);
  putSku(translation, sku, id);
  translation.add({ type: "shop.product.upserted", data: { ...data, ...kept }, time });
  // No event takes stock back, so stock that was published once is kept up.
  const published = hasStock || existing.stock ? stock : undefined;
  const list = listed && { listed, listedTime: bodyTime };
  const row = {
    ...{ ...existing, isDeleted: false, ...members, ...list },
    ...{ kept, time, bodyTime, stock: published },
  };
  translation.put("products", String(id), row);
  if (published)
    translation.add({ type: "shop.stock.changed", data: { productId: id, ...stock }, time });
  changeVariations(translation, row, existing, resource);
  for (const each of listed ?? []) translation.meet(`variant/${id}/${each}`);
  return undefined;
};

/** Completes a row of a file with what the body before it had, because the export has no such columns. */
const keepMembers = (
  { url, rating, categoryIds }: StatedMembers,
  connection: WooCommerceConnection,
  { kept }: StoredProduct,
): KeptMembers => ({
  url: url.startsWith("/") ? (kept?.url ?? `${connection.url}${url}`) : url,
  rating: rating === undefined ? (kept?.rating ?? null) : rating,
  categoryIds: categoryIds ?? kept?.categoryIds ?? [],
});

/** Adds the variations that the body of their parent changes. A body without a list changes none of them by it. */
const changeVariations = (
  translation: WooCommerceTranslation,
  product: StoredProduct,
  existing: StoredProduct,
  { bodyTime, isRestored }: ResourceBody,
): void => {
  const { listedTime } = product;
  const hasChanged = (...names: (keyof StoredProduct)[]) =>
    names.some((name) => JSON.stringify(product[name]) !== JSON.stringify(existing[name]));
  const [isRespelled, isRestocked] = [hasChanged("attributes"), hasChanged("stock", "isShared")];
  const listed = new Set(product.listed);
  for (const id of existing.held) {
    const row = translation.get("variations", String(id));
    if (!row) continue;
    const isDeleted = !isNewest({ ...row, bodyTime: "" }, listedTime, isRestored);
    const isKept = row.bodyTime > listedTime || (row.isShown && bodyTime > listedTime);
    const isShown = listed.has(id) ? !isDeleted : !row.isDeleted && isKept;
    const isChanged = isRespelled || (isRestocked && !row.isManaged);
    if (isShown !== row.isShown || (isShown && isChanged))
      putVariation(
        translation,
        { ...row, isShown, isDeleted: !isShown && row.isDeleted },
        row.isShown,
        bodyTime,
      );
  }
};

/** Upserts a variation. It may arrive before its parent, and while that is deleted. */
export const upsertVariation: BodyHandler = (translation, connection, { id, body, bodyTime }) => {
  const variation = readVariation(id, body, connection, findProduct(translation));
  if ("outcome" in variation) return variation;
  const { productId } = variation;
  const existing = translation.get("variations", String(id));
  const product = getProduct(translation, productId);
  if (!product.held.includes(id))
    translation.put("products", String(productId), { ...product, held: [...product.held, id] });
  const isListed = product.listed.includes(id) || bodyTime >= product.listedTime;
  const data = { ...variation.data, url: variation.data.url ?? existing?.data.url ?? null };
  const row = { ...variation, data, bodyTime, isShown: isListed && !product.isDeleted };
  const { isShown = false, time = "", hadStock = false, deletedAt } = existing ?? {};
  putVariation(translation, { ...row, time, hadStock, deletedAt }, isShown, bodyTime);
  return undefined;
};
