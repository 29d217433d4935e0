import type { Connection, Outcome } from "../delivery.ts";
import type { SharedTables, Translation } from "../translation.ts";
import type { ResourceMessage, Version } from "./message.ts";

/**
 * Handles the messages of one type.
 * @returns undefined when the translation is the outcome
 */
export type MessageHandler = (
  translation: Translation<CommercetoolsTables>,
  connection: CommercetoolsConnection,
  message: ResourceMessage,
) => Outcome | undefined;

export interface CommercetoolsConnection extends Connection {
  /** Template of the addresses of products, with `{slug}`, `{id}`, `{sku}`. */
  readonly productUrl: string;
  /** Country whose prices count before those without a country. */
  readonly country?: string;
  /** Id of the channel whose prices count before those without a channel. */
  readonly channel?: string;
  /** Id of the channel whose entries of inventory count. Without it, all count. */
  readonly supplyChannel?: string;
}

/** Rows by table. Times are UTC, as `toUtcTime` returns them. */
export interface CommercetoolsTables extends SharedTables {
  /** By product id. A product that is not public has no SKUs. */
  readonly products: Version & { readonly skus: readonly string[] };
  /** By SKU. */
  readonly skus: SkuStock;
  /** Time of the stock that was added last, by `{product id}/{variant id}`. */
  readonly stockTimes: string;
  /** By category id. A deleted category has no texts. */
  readonly categories: Version & { readonly texts?: CategoryTexts };
}

/** Stock of a SKU. An entry may arrive before its product. */
export interface SkuStock {
  readonly variant?: SkuVariant | undefined;
  /** By the id of the entry. */
  readonly entries: Readonly<Record<string, SupplyEntry>>;
}

export interface SkuVariant {
  readonly productId: number;
  readonly variantId: number;
  /** `availability` of the published product. */
  readonly counted?: SupplyCount | undefined;
  readonly time: string;
}

export interface SupplyCount {
  readonly quantity: number | null;
  readonly orderable?: boolean;
}

export interface SupplyEntry extends Version {
  /** Id of its supply channel. */
  readonly channel?: string | undefined;
  /** Null: the entry was deleted. */
  readonly quantity: number | null;
}

/** What `CategorySlugChanged` lacks. */
export interface CategoryTexts {
  readonly name: string;
  readonly parentId: number | null;
}
