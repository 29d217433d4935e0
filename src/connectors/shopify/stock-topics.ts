import { ignored, type Outcome, refused } from "../delivery.ts";
import { type Members, readInteger, readText } from "../members.ts";
import { toUtcTime } from "../times.ts";
import type { Translation } from "../translation.ts";
import type {
  InventoryItem,
  Level,
  ShopifyConnection,
  ShopifyTables,
  TopicHandler,
} from "./state.ts";
import { toStockEvent } from "./stock.ts";

/** Handles `inventory_levels/connect` and `inventory_levels/update`. */
export const changeLevel: TopicHandler = (translation, connection, body) => {
  const time = toUtcTime(body["updated_at"]);
  if (!time) return refused("updated_at", "must be a time with an offset");
  const available = readInteger(body["available"]);
  if (available === undefined && body["available"] !== null) {
    return refused("available", "must be a whole number, or null");
  }
  return putLevel(translation, connection, body, { available: available ?? null, time });
};

/** Handles `inventory_levels/disconnect`: the location has none of the item. */
export const disconnectLevel: TopicHandler = (translation, connection, body, time) =>
  putLevel(translation, connection, body, { available: 0, time });

const putLevel = (
  translation: Translation<ShopifyTables>,
  connection: ShopifyConnection,
  body: Members,
  level: Level,
): Outcome | undefined => {
  const [itemId, locationId] = [readText(body["inventory_item_id"]), readText(body["location_id"])];
  if (!itemId) return refused("inventory_item_id", "must be the id of the inventory item");
  if (!locationId) return refused("location_id", "must be the id of the location");
  const item = translation.get("items", itemId) ?? { levels: {} };
  const existing = Object.hasOwn(item.levels, locationId) ? item.levels[locationId] : undefined;
  if (existing && existing.time > level.time) return ignored("older than the newest level");
  const levels = { ...item.levels, [locationId]: level };
  changeItem(translation, connection, itemId, { ...item, levels });
  return undefined;
};

/** Handles `inventory_items/create` and `inventory_items/update`, which alone say whether stock is tracked. */
export const changeInventoryItem: TopicHandler = (translation, connection, body) => {
  const itemId = readText(body["id"]);
  const time = toUtcTime(body["updated_at"]);
  if (!itemId) return refused("id", "must be the id of the inventory item");
  if (!time) return refused("updated_at", "must be a time with an offset");
  const isTracked = body["tracked"];
  if (typeof isTracked !== "boolean") return refused("tracked", "must be true or false");
  const item = translation.get("items", itemId) ?? { levels: {} };
  if (item.tracked && item.tracked.time > time) return ignored("older than the newest body");
  changeItem(translation, connection, itemId, { ...item, tracked: { isTracked, time } });
  return undefined;
};

/** Stores an item and adds the stock of its variant. Equal stock is not published again. */
export const changeItem = (
  translation: Translation<ShopifyTables>,
  { locations }: ShopifyConnection,
  itemId: string,
  item: InventoryItem,
): void => {
  translation.put("items", itemId, item);
  const stock = toStockEvent(item, locations);
  if (stock) translation.add(stock);
};
