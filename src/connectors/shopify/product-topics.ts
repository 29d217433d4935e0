import { fillAddress } from "../addresses.ts";
import { ignored, type Refused, refused } from "../delivery.ts";
import { firstTextId, toEntityId } from "../ids.ts";
import { latestTime } from "../times.ts";
import { reserveId, type Translation } from "../translation.ts";
import { type Product, readProduct } from "./product.ts";
import type { ShopifyConnection, ShopifyTables, TopicHandler } from "./state.ts";
import { changeItem } from "./stock-topics.ts";

/** Handles `products/create` and `products/update`. */
export const upsertProduct: TopicHandler = (translation, connection, body) => {
  const currency = connection.currency ?? translation.get("shop", "")?.currency;
  if (currency === undefined) {
    return refused("", 'needs the currency of the shop: add "currency" to the connection');
  }
  const product = readProduct(body, { url: connection.url, currency });
  if ("outcome" in product) return product;
  const existing = translation.get("products", String(product.entity.id));
  if (existing && existing.time > product.time)
    return ignored("older than the newest body", `product/${product.entity.id}`);
  const joined = translation.get("handles", product.handle) ?? firstTextId;
  if (joined < firstTextId && product.entity.id >= firstTextId)
    return ignored("a product of a file that came by its own id");
  if (!reserveId(translation, "product", product.entity)) return refuseId("id");
  return addProduct(translation, connection, product);
};

const refuseId = (path: string): Refused =>
  refused(path, "has the number of another text: two texts have one hash of 52 bits");

const addProduct = (
  translation: Translation<ShopifyTables>,
  connection: ShopifyConnection,
  product: Product,
): Refused | undefined => {
  const { entity, handle, time, data } = product;
  const categoryIds = addCategory(translation, connection, product);
  if ("outcome" in categoryIds) return categoryIds;
  const replaced = translation.get("handles", handle);
  if (replaced !== undefined && replaced >= firstTextId && replaced !== entity.id) {
    // An import had the product by its handle, because files have no ids of the platform.
    removeProduct(translation, replaced, time);
  }
  translation.add({ type: "shop.product.upserted", data: { ...data, categoryIds }, time });
  putProduct(translation, product);
  for (const { item, variantId, counted } of product.stock) {
    const existing = translation.get("items", item) ?? { levels: {} };
    const variant = { productId: entity.id, id: variantId };
    changeItem(translation, connection, item, { ...existing, variant, counted });
  }
  return undefined;
};

/** Stores the joins of a product, and removes those of variants that it has no more. */
const putProduct = (
  translation: Translation<ShopifyTables>,
  { entity, handle, time, stock }: Product,
): void => {
  const items = stock.map(({ item }) => item);
  const existing = translation.get("products", String(entity.id));
  removeItems(translation, existing?.items.filter((item) => !items.includes(item)) ?? []);
  translation.put("products", String(entity.id), { time, handle, items });
  translation.put("handles", handle, entity.id);
};

const removeItems = (translation: Translation<ShopifyTables>, items: readonly string[]): void => {
  for (const item of items) translation.put("items", item, undefined);
};

/** Handles `products/delete`. */
export const deleteProduct: TopicHandler = (translation, _, body, time) => {
  const entity = toEntityId("product", body["id"]);
  if (!entity) return refused("id", "must be the id of the product");
  removeProduct(translation, entity.id, time);
  return undefined;
};

/** Adds a deletion, and keeps its time, because an older body may arrive later. */
const removeProduct = (
  translation: Translation<ShopifyTables>,
  id: number,
  deletedAt: string,
): void => {
  const row = translation.get("products", String(id));
  const time = latestTime(deletedAt, row?.time);
  translation.add({ type: "shop.product.deleted", data: { id }, time });
  removeItems(translation, row?.items ?? []);
  translation.put("products", String(id), { time, handle: row?.handle ?? "", items: [] });
};

/**
 * Adds the category of the product type.
 * @returns the ids of the categories
 */
const addCategory = (
  translation: Translation<ShopifyTables>,
  { url, categories, categoryUrl }: ShopifyConnection,
  { type, time }: Product,
): readonly number[] | Refused => {
  const entity = categories === "none" ? undefined : toEntityId("category", type);
  if (!entity || type === undefined) return [];
  if (!reserveId(translation, "category", entity)) return refuseId("product_type");
  const template = categoryUrl ?? `${url}/collections/types?q={name}`;
  const address = fillAddress(template, { ...entity, name: type, slug: type });
  const data = { ...entity, name: type, url: address };
  translation.add({ type: "shop.category.upserted", data, time });
  return [entity.id];
};
