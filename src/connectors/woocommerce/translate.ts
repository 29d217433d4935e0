import { type Delivery, ignored, type Outcome, refused, type StateReader } from "../delivery.ts";
import { type Members, readMembers, readText } from "../members.ts";
import { openTranslation } from "../translation.ts";
import { upsertCategory } from "./categories.ts";
import { getProduct, isNewest, removeResource, type WooCommerceTranslation } from "./changes.ts";
import type { WooCommerceConnection, WooCommerceTables } from "./state.ts";
import { type ResourceBody, upsertProduct, upsertVariation } from "./topics.ts";
import { readId, readInstant } from "./values.ts";

/** Translates a webhook of WooCommerce (README.md). */
export const translateWooCommerce = (
  { topic, body: json, arrivedAt }: Delivery,
  connection: WooCommerceConnection,
  state: StateReader<WooCommerceTables>,
): Outcome => {
  if (!wooCommerceTopics.has(topic) && topic !== categoryTopic)
    return ignored("a topic without goods");
  const body = readMembers(json);
  if (!body) return refused("", "must be a JSON object");
  const id = readId(body["id"]);
  if (!id) return refused("id", "must be the id of a product, variation or category");
  const translation = openTranslation(state);
  if (topic === categoryTopic)
    return upsertCategory(translation, connection, body, arrivedAt) ?? translation.finish();
  if (topic === "product.deleted") {
    const isNew = removeResource(translation, id, arrivedAt);
    return isNew ? translation.finish() : ignored("a deletion that was translated before");
  }
  const resource = { id, body, isRestored: topic === "product.restored" };
  return upsertResource(translation, connection, resource) ?? translation.finish();
};

const upsertResource = (
  translation: WooCommerceTranslation,
  connection: WooCommerceConnection,
  { id, body, isRestored }: Omit<ResourceBody, "bodyTime">,
): Outcome | undefined => {
  if (isOtherLanguage(body, connection)) return ignored("a body in another language");
  const { currency, timeZone } = connection;
  if (currency === undefined)
    return refused("", 'needs the currency of the shop: add "currency" to the connection');
  const bodyTime = readInstant(body, "date_modified", timeZone);
  if (!bodyTime) return refused("date_modified_gmt", "must be a time");
  const variation = translation.get("variations", String(id));
  if (!isNewest(variation ?? getProduct(translation, id), bodyTime, isRestored))
    return ignored(
      "older than the newest body",
      variation ? `variant/${variation.productId}/${id}` : `product/${id}`,
    );
  // Plug-ins have types such as `subscription_variation`.
  const upsert = readText(body["type"])?.endsWith("variation") ? upsertVariation : upsertProduct;
  return upsert(translation, { ...connection, currency }, { id, body, bodyTime, isRestored });
};

/** A plug-in for translations sends a product once for each language. */
const isOtherLanguage = (body: Members, { language }: WooCommerceConnection): boolean => {
  const stated = readText(body["lang"]);
  return stated !== undefined && language !== undefined && toTag(stated) !== toTag(language);
};

const toTag = (language: string): string => language.slice(0, 2).toLowerCase();

/** Topic of the categories of a file of answers of the API. No webhook has it. */
export const categoryTopic = "category";

/** Topics whose deliveries the gateway stores. */
export const wooCommerceTopics: ReadonlySet<string> = new Set(
  ["created", "updated", "restored", "published", "deleted"].map((event) => `product.${event}`),
);
