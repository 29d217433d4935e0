import type { DraftOf } from "../delivery.ts";
import { latestTime } from "../times.ts";
import type { InventoryItem, Level, ShopifyConnection } from "./state.ts";

type Locations = ShopifyConnection["locations"];
type StockDraft = DraftOf<"shop.stock.changed">;

/**
 * Computes the stock of a variant from all that the topics state (Contract 10, Shopify).
 * @returns undefined while the product, or any quantity, is missing
 */
export const toStockEvent = (item: InventoryItem, locations: Locations): StockDraft | undefined => {
  const { variant, counted } = item;
  if (!variant || !counted) return undefined;
  const ids = { productId: variant.productId, variantId: variant.id };
  const levels = Object.values(item.levels);
  const time = latestTime(counted.time, item.tracked?.time, ...levels.map((level) => level.time));
  if (!isTracked(item)) {
    const data = { ...ids, quantity: null, orderable: true, availability: "in_stock" } as const;
    return { type: "shop.stock.changed", data, time };
  }
  const quantity = countLevels(item, locations) ?? counted.quantity;
  if (quantity === null) return undefined;
  const isBackorder = quantity <= 0 && counted.isSoldAtZero;
  const data = { ...ids, quantity, ...(isBackorder ? { availability: "backorder" as const } : {}) };
  return { type: "shop.stock.changed", data, time };
};

/** Whether the shop counts an item: the newest statement, and yes without any. */
const isTracked = ({ counted, tracked, levels }: InventoryItem): boolean => {
  let newest = { isTracked: true, time: "" };
  const consider = (statement: boolean | undefined, time: string): void => {
    if (statement !== undefined && time >= newest.time) newest = { isTracked: statement, time };
  };
  consider(counted?.isTracked, counted?.time ?? "");
  consider(tracked?.isTracked, tracked?.time ?? "");
  for (const { available, time } of Object.values(levels)) {
    if (available === null) consider(false, time);
  }
  return newest.isTracked;
};

/**
 * Sums the levels of the locations that count.
 * @returns undefined when the quantity of the product counts: a level is missing, or none is newer
 */
const countLevels = (item: InventoryItem, locations: Locations): number | undefined => {
  if (locations === undefined) return undefined;
  if (typeof locations === "number") return countNewestLevels(item, locations);
  const levels = locations.flatMap((id) => item.levels[id] ?? []);
  return levels.length === 0 ? undefined : sumOf(levels);
};

/** Sums the newest levels when all locations are there and one is newer than the body of the product. */
const countNewestLevels = (item: InventoryItem, count: number): number | undefined => {
  const levels = Object.values(item.levels)
    .sort((one, other) => (one.time < other.time ? 1 : -1))
    .slice(0, count);
  const [newest] = levels;
  if (!newest || levels.length < count || newest.time <= (item.counted?.time ?? ""))
    return undefined;
  return sumOf(levels);
};

const sumOf = (levels: readonly Level[]): number =>
  levels.reduce((sum, { available }) => sum + (available ?? 0), 0);
