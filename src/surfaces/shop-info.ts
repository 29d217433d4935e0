import { defaultPolicy, type OfferPolicy } from "../offers/policy.ts";
import type { Snapshot } from "../read-model/reader/reader.ts";

/** Contract version, for the `API-Version` header and `Shop.apiVersion` (Specification §9 rule 1). */
export const apiVersion = "1";

const defaultDeprecationPolicy =
  "Additive changes (new types, fields, enum members) may appear at any time. A retired field is " +
  "marked with @deprecated, with a reason and a replacement, and keeps working at least 180 days " +
  "after marking. Breaking changes are issued as a new endpoint version.";

/** ISO 4217 code for a transaction without a currency. */
const noCurrency = "XXX";

/**
 * Reads the value of `Query.shop` (Specification §2). It has no userErrors, so it needs a value before the log has the
 * shop's settings: then name and URL come from the base URL.
 */
export const readShopInfo = (snapshot: Snapshot, baseUrl: string) => {
  const settings = snapshot.shop();
  const counts = snapshot.counts();
  return {
    name: settings?.name ?? new URL(baseUrl).host,
    url: settings?.url ?? baseUrl,
    language: settings?.language ?? "en",
    currency: settings?.currency ?? noCurrency,
    productCount: counts.products,
    categoryCount: counts.stockedCategories,
    apiVersion,
    deprecationPolicy: settings?.deprecationPolicy ?? defaultDeprecationPolicy,
  };
};

export type ShopInfo = ReturnType<typeof readShopInfo>;

/** Reads how the shop shows prices and stock. */
export const readPolicy = (snapshot: Snapshot): OfferPolicy => snapshot.shop() ?? defaultPolicy;

export const hidesPrices = (snapshot: Snapshot): boolean =>
  snapshot.shop()?.pricesVisible === false;
