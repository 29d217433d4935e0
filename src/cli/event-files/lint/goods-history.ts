import type { GoodsPolicy } from "../../../offers/policy.ts";
import { createPriceHistory, type PriceHistory } from "./price-history.ts";

/** What all checked files have stated so far, because a shop may send its catalogue and its stock in files of their own. */
export interface GoodsHistory {
  /** Of the last settings; undefined before the first. */
  policy: GoodsPolicy | undefined;
  readonly prices: PriceHistory;
  /** By product: whether its stock events were about itself, its variants or both. */
  readonly stockLevels: Map<number, StockLevel>;
}

export type StockLevel = "product" | "variant" | "both";

export const createGoodsHistory = (): GoodsHistory => ({
  policy: undefined,
  prices: createPriceHistory(),
  stockLevels: new Map(),
});
