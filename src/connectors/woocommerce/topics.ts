import { fillAddress } from "../addresses.ts";
import type { Connection, Refused } from "../delivery.ts";
import { type Members, readObjects, readText } from "../members.ts";
import { latestTime } from "../times.ts";
import {
  getProduct,
  isNewest,
  joinSku,
  putVariation,
  type WooCommerceTranslation,
} from "./changes.ts";
import { readProduct } from "./product.ts";
import type { StoredProduct } from "./state.ts";
import { type PricedConnection, readId, readName } from "./values.ts";
import { readVariation } from "./variation.ts";

export interface ResourceBody {
  readonly id: number;
  readonly body: Members;
  readonly bodyTime: string;
  /** Whether it comes with `product.restored`. */
  readonly isRestored: boolean;
}

type BodyHandler = (
  translation: WooCommerceTranslation,
  connection: PricedConnection,
  resource: ResourceBody,
) => Refused | undefined;

export const upsertProduct: BodyHandler = (translation, connection, resource) => {
  const { id, body, bodyTime } = resource;
  const product = readProduct(id, body, connection);
  if ("outcome" in product) return product;
  const { data, hasStock, stock, ...members } = product;
  const existing = getProduct(translation, id);
  const time = latestTime(bodyTime, existing.time);
  const categoryIds = addCategories(translation, connection, body, time);
  joinSku(translation, product.sku, { productId: id }, time);
  translation.add({ type: "shop.product.upserted", data: { ...data, categoryIds }, time });
  // No event takes stock back, so stock that was published once is kept up.
  const published = hasStock || existing.stock ? stock : undefined;
  const { held, deletedAt } = existing;
  const row = { ...members, held, deletedAt, time, bodyTime, stock: published };
  translation.put("products", String(id), row);
  if (published)
    translation.add({ type: "shop.stock.changed", data: { productId: id, ...stock }, time });
  changeVariations(translation, row, existing, resource);
  return undefined;
};

/** Adds the variations that the body of their parent changes. */
const changeVariations = (
  translation: WooCommerceTranslation,
  product: StoredProduct,
  existing: StoredProduct,
  { bodyTime, isRestored }: ResourceBody,
): void => {
  const hasChanged = (...names: (keyof StoredProduct)[]) =>
    names.some((name) => JSON.stringify(product[name]) !== JSON.stringify(existing[name]));
  const [isRespelled, isRestocked] = [hasChanged("attributes"), hasChanged("stock", "isShared")];
  const listed = new Set(product.listed);
  for (const id of existing.held) {
    const row = translation.get("variations", String(id));
    if (!row) continue;
    const isDeleted = !isNewest({ ...row, bodyTime: "" }, bodyTime, isRestored);
    const isShown = listed.has(id) ? !isDeleted : !row.isDeleted && row.bodyTime > bodyTime;
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
  const variation = readVariation(id, body, connection);
  if ("outcome" in variation) return variation;
  const { productId, data } = variation;
  const existing = translation.get("variations", String(id));
  const product = getProduct(translation, productId);
  if (!product.held.includes(id))
    translation.put("products", String(productId), { ...product, held: [...product.held, id] });
  const isListed = product.listed.includes(id) || bodyTime >= product.bodyTime;
  const row = { ...variation, bodyTime, isShown: isListed && !product.isDeleted };
  const { isShown = false, time = "", hadStock = false, deletedAt } = existing ?? {};
  putVariation(translation, { ...row, time, hadStock, deletedAt }, isShown, bodyTime);
  // The body of a variation without a SKU has that of its parent, which an import may have had alone.
  if (product.bodyTime !== "" && data.sku !== product.sku)
    joinSku(translation, data.sku, { productId, variantId: id }, bodyTime);
  return undefined;
};

/** @returns the ids of the categories */
const addCategories = (
  translation: WooCommerceTranslation,
  { url, categoryUrl }: Connection,
  body: Members,
  time: string,
): readonly number[] =>
  readObjects(body["categories"]).flatMap((category) => {
    const [id, name] = [readId(category["id"]), readName(category["name"])];
    if (id === undefined || name === undefined) return [];
    const parts = { id, name, slug: readSlug(category["slug"]) };
    const address = fillAddress(categoryUrl ?? `${url}/product-category/{slug}/`, parts);
    const data = { id, name, url: address };
    translation.add({ type: "shop.category.upserted", data, time });
    return id;
  });

/** WordPress percent-encodes letters of a slug. This decoder takes any text. */
const readSlug = (slug: unknown): string =>
  new URLSearchParams(`slug=${readText(slug) ?? ""}`).get("slug") ?? "";
