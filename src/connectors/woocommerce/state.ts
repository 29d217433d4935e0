import type { StockData } from "../../events/event.ts";
import type { Rating, VariantData } from "../../events/product-facts.ts";
import type { Connection } from "../delivery.ts";
import type { SharedTables } from "../translation.ts";

export interface WooCommerceConnection extends Connection {
  /** `files` where no webhook states the categories, so that those of files count. */
  readonly platform?: string;
}

/** Rows by table. Times are UTC, as `toUtcTime` returns them. */
export interface WooCommerceTables extends SharedTables {
  /** By id, also tombstones of ids that had no body. */
  readonly products: StoredProduct;
  /** By id. A variation may arrive before its parent. */
  readonly variations: VariationRow;
  /** Id of a product by its SKU, because rows of files name products by it. */
  readonly skus: number;
  /** By id, where an answer of the API stated it. */
  readonly categories: { readonly parentId?: number | undefined };
}

export interface ResourceRow {
  /** Of its newest event; empty before the first. */
  readonly time: string;
  /** Of its newest body; empty before the first. */
  readonly bodyTime: string;
  readonly isDeleted?: boolean | undefined;
  /** Arrival of its newest deletion, also after a restoration. */
  readonly deletedAt?: string | undefined;
}

export interface StoredProduct extends ResourceRow {
  /** Variations of the newest body that lists them, and its time; empty before the first. */
  readonly listed: readonly number[];
  readonly listedTime: string;
  /** Variations whose bodies arrived. */
  readonly held: readonly number[];
  readonly attributes: readonly AttributeName[];
  /** Whether it has the stock of the variations that have none of their own. */
  readonly isShared?: boolean;
  /** What was published of its own stock. */
  readonly stock?: StockFacts | undefined;
  /** What rows of files lack. */
  readonly kept?: KeptMembers;
}

export interface KeptMembers {
  readonly url: string;
  readonly rating: Rating | null;
  readonly categoryIds: readonly number[];
}

export interface VariationRow extends ResourceRow {
  readonly productId: number;
  /** Whether its newest event is no deletion. */
  readonly isShown: boolean;
  readonly choices: readonly Choice[];
  readonly data: Omit<VariantData, "options">;
  /** Null: it has the stock of its parent. */
  readonly stock: StockFacts | null;
  /** Whether its stock is its own, also where its parent has stock to share. */
  readonly isManaged: boolean;
  /** Whether stock of its own was published, which no event takes back. */
  readonly hadStock?: boolean;
}

export interface AttributeName {
  /** 0 for an attribute of this product alone. */
  readonly id: number;
  readonly name: string;
}

export interface Choice extends AttributeName {
  readonly option: string;
}

export type StockFacts = Omit<StockData, "productId" | "variantId">;
