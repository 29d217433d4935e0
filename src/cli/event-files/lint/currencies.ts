import type { ShopEvent } from "../../../events/event.ts";
import { priceStatements } from "./price-statements.ts";
import type { LintWarningLine } from "./warning.ts";

/** Limits the prices of each currency that wait for the settings. */
const maxPendingPrices = 1_000;

/** A price of a product or variant. */
interface StatedPrice {
  readonly line: number;
  readonly field: string;
}

/**
 * Finds prices of products and variants in another currency than the settings of the same file. Prices before the first settings are
 * compared with those.
 */
export const createCurrencyCheck = (): ((
  event: ShopEvent,
  line: number,
) => readonly LintWarningLine[]) => {
  const pending = new Map<string, StatedPrice[]>();
  let shopCurrency: string | undefined;
  const check = (currency: string, price: StatedPrice): readonly LintWarningLine[] => {
    if (shopCurrency !== undefined) return toWarnings([price], currency, shopCurrency);
    const prices = pending.get(currency) ?? [];
    pending.set(currency, prices);
    if (prices.length < maxPendingPrices) prices.push(price);
    return [];
  };
  return (event, line) => {
    if (event.type === "shop.settings.updated") {
      const { currency } = event.data;
      const before = [...pending].flatMap(([each, prices]) => toWarnings(prices, each, currency));
      pending.clear();
      shopCurrency = currency;
      return before.sort((a, b) => a.line - b.line);
    }
    return priceStatements(event).flatMap(({ path, members }) => {
      const currency = members.price?.currency;
      return currency === undefined
        ? []
        : check(currency, { line, field: `${path}.price.currency` });
    });
  };
};

const toWarnings = (
  prices: readonly StatedPrice[],
  currency: string,
  shopCurrency: string,
): readonly LintWarningLine[] =>
  currency === shopCurrency
    ? []
    : prices.map((price) => ({
        ...price,
        reason: `the price is in ${currency}, and the shop's currency is ${shopCurrency}: it is shown, and is in no price range, facet or order`,
      }));
