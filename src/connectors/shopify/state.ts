import type { Connection, Outcome } from "../delivery.ts";
import type { Members } from "../members.ts";
import type { SharedTables, Translation } from "../translation.ts";

/**
 * Handles the deliveries of one topic.
 * @param time of the event by the headers, for bodies without a time
 * @returns undefined when the translation is the outcome
 */
export type TopicHandler = (
  translation: Translation<ShopifyTables>,
  connection: ShopifyConnection,
  body: Members,
  time: string,
) => Outcome | undefined;

export interface ShopifyConnection extends Connection {
  /** `types` (default): each product type is a category. */
  readonly categories?: "types" | "none";
  /** Number of locations of the shop, or the ids of those whose stock counts. Without it, no level of a location counts. */
  readonly locations?: number | readonly number[];
}

/** Rows by table. Times are UTC, as `toUtcTime` returns them. */
export interface ShopifyTables extends SharedTables {
  /** By product id. */
  readonly products: ProductRow;
  /** Product id by handle. */
  readonly handles: number;
  /** By inventory item id. */
  readonly items: InventoryItem;
  /** The newest `shop/update`, by the empty key. */
  readonly shop: ShopRow;
}

export interface ProductRow {
  readonly time: string;
  readonly handle: string;
  /** Inventory items of its variants. */
  readonly items: readonly string[];
}

/** Stock of a variant, as each topic states it. A level may arrive before its product. */
export interface InventoryItem {
  readonly variant?: { readonly productId: number; readonly id: number };
  /** What the newest body of the product has. */
  readonly counted?: CountedStock;
  /** What the newest body of the inventory item has. */
  readonly tracked?: { readonly isTracked: boolean; readonly time: string };
  /** By location id. */
  readonly levels: Readonly<Record<string, Level>>;
}

export interface CountedStock {
  /** Sum of all locations. */
  readonly quantity: number | null;
  /** Whether the shop sells it at a quantity of 0. */
  readonly isSoldAtZero: boolean;
  /** Absent in bodies of 2024-10 and later. */
  readonly isTracked?: boolean;
  readonly time: string;
}

export interface Level {
  /** Null: the item is not tracked there. */
  readonly available: number | null;
  readonly time: string;
}

export interface ShopRow {
  readonly currency?: string;
  readonly time: string;
}
