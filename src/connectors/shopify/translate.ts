import { type Delivery, ignored, type Outcome, refused, type StateReader } from "../delivery.ts";
import { readMembers, readText } from "../members.ts";
import { toUtcTime } from "../times.ts";
import { openTranslation } from "../translation.ts";
import { deleteProduct, upsertProduct } from "./product-topics.ts";
import type { ShopifyConnection, ShopifyTables, TopicHandler } from "./state.ts";
import { changeInventoryItem, changeLevel, disconnectLevel } from "./stock-topics.ts";

/** Translates a webhook of Shopify (README.md). */
export const translateShopify = (
  delivery: Delivery,
  connection: ShopifyConnection,
  state: StateReader<ShopifyTables>,
): Outcome => {
  if (delivery.headers["x-shopify-test"] === "true") return ignored("a test delivery");
  const handle = handlers.get(delivery.topic);
  if (!handle) return ignored("a topic without goods");
  const body = readMembers(delivery.body);
  if (!body) return refused("", "must be a JSON object");
  const translation = openTranslation(state);
  return handle(translation, connection, body, timeOfDelivery(delivery)) ?? translation.finish();
};

/** Returns the header's time, at most that of the arrival, because a clock that is ahead must not end later events. */
const timeOfDelivery = ({ headers, arrivedAt }: Delivery): string => {
  const time = toUtcTime(headers["x-shopify-triggered-at"]);
  return time !== undefined && time < arrivedAt ? time : arrivedAt;
};

/** Changes the currency, which no product states. Settings are events of the owner. */
const changeShop: TopicHandler = (translation, _, body, deliveryTime) => {
  const time = toUtcTime(body["updated_at"]) ?? deliveryTime;
  if ((translation.get("shop", "")?.time ?? "") > time)
    return ignored("older than the newest body");
  const currency = readText(body["currency"]);
  translation.put("shop", "", currency === undefined ? { time } : { time, currency });
  return undefined;
};

const handlers: ReadonlyMap<string, TopicHandler> = new Map([
  ["products/create", upsertProduct],
  ["products/update", upsertProduct],
  ["products/delete", deleteProduct],
  ["inventory_levels/connect", changeLevel],
  ["inventory_levels/update", changeLevel],
  ["inventory_levels/disconnect", disconnectLevel],
  ["inventory_items/create", changeInventoryItem],
  ["inventory_items/update", changeInventoryItem],
  ["shop/update", changeShop],
]);

/** Topics whose deliveries the gateway stores. */
export const shopifyTopics: ReadonlySet<string> = new Set(handlers.keys());
