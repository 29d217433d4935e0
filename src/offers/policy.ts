import type { GoodsSettings, Returns } from "../events/goods.ts";

/** How a shop shows prices and stock, with the defaults for what its settings do not say. */
export interface GoodsPolicy {
  readonly listPriceKind: "former" | "recommended" | null;
  readonly taxIncluded: boolean | null;
  readonly quantityVisible: "never" | "low" | "always";
  readonly lowStockThreshold: number | null;
  readonly upcomingSales: "hidden" | "shown";
  readonly returns: Returns | null;
  readonly country: string | null;
  readonly timeZone: string | null;
}

export const toGoodsPolicy = (settings: GoodsSettings | undefined): GoodsPolicy => ({
  listPriceKind: settings?.listPriceKind ?? null,
  taxIncluded: settings?.taxIncluded ?? null,
  quantityVisible: settings?.quantityVisible ?? "never",
  lowStockThreshold: settings?.lowStockThreshold ?? null,
  upcomingSales: settings?.upcomingSales ?? "hidden",
  returns: settings?.returns ?? null,
  country: settings?.country ?? null,
  timeZone: settings?.timeZone ?? null,
});

/** Whether settings add to what is shown of every product. */
export const showsPolicy = (policy: GoodsPolicy): boolean =>
  policy.taxIncluded !== null || policy.returns !== null || showsQuantities(policy);

/** Whether answers depend on quantities, so that a change of one can change a page. */
export const showsQuantities = ({ quantityVisible, lowStockThreshold }: GoodsPolicy): boolean =>
  quantityVisible !== "never" || lowStockThreshold !== null;
