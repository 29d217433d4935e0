import type { Snapshot } from "../../../read-model/reader/reader.ts";

/** The contract version: the `API-Version` header and `Shop.apiVersion` (§9 rule 1). */
export const apiVersion = "1";

const defaultDeprecationPolicy =
  "Additive changes (new types, fields, enum members) may appear at any time. A retired field is " +
  "marked with @deprecated, with a reason and a replacement, and keeps working at least 180 days " +
  "after marking. Breaking changes are issued as a new endpoint version.";

/** ISO 4217's code for a transaction without a currency. */
const noCurrency = "XXX";

/**
 * `Query.shop` (§2). It has no userErrors, so it answers even before the shop's settings were told:
 * then the base URL stands in for what they would say.
 */
export const shop = (moment: Snapshot, baseUrl: string) => {
  const settings = moment.shop();
  const counts = moment.counts();
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
