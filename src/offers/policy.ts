import type { PolicySettings, Returns } from "../events/product-facts.ts";

/** How a shop shows prices and stock, with the defaults for what its settings do not say. */
export interface OfferPolicy {
  readonly pricesVisible: boolean;
  readonly listPriceKind: "former" | "recommended" | null;
  readonly taxIncluded: boolean | null;
  readonly quantityVisible: "never" | "low" | "always";
  readonly lowStockThreshold: number | null;
  readonly upcomingSales: "hidden" | "shown";
  readonly returns: Returns | null;
  readonly country: string | null;
  readonly timeZone: string | null;
}

export const toOfferPolicy = (settings: PolicySettings): OfferPolicy => ({
  pricesVisible: settings.pricesVisible ?? true,
  listPriceKind: settings.listPriceKind ?? null,
  taxIncluded: settings.taxIncluded ?? null,
  quantityVisible: settings.quantityVisible ?? "never",
  lowStockThreshold: settings.lowStockThreshold ?? null,
  upcomingSales: settings.upcomingSales ?? "hidden",
  returns: settings.returns ?? null,
  country: settings.country ?? null,
  timeZone: settings.timeZone ?? null,
});

export const defaultPolicy: OfferPolicy = toOfferPolicy({});

/** Whether answers depend on quantities, so that a change of one can change a page. */
export const showsQuantities = ({
  quantityVisible,
  lowStockThreshold,
}: Pick<OfferPolicy, "quantityVisible" | "lowStockThreshold">): boolean =>
  quantityVisible !== "never" || lowStockThreshold !== null;
