import type { ShopEvent } from "../../events/event.ts";
import type { LintWarningLine } from "./lint-warning.ts";

/** Limits the lines of each currency that wait for the settings. */
const maxPendingLines = 1_000;

/**
 * Finds prices in another currency than the settings of the same file. Prices before the first settings are compared
 * with those.
 */
export const createCurrencyCheck = (): ((
  event: ShopEvent,
  line: number,
) => readonly LintWarningLine[]) => {
  const pending = new Map<string, number[]>();
  let shopCurrency: string | undefined;
  return (event, line) => {
    if (event.type === "shop.settings.updated") {
      const { currency } = event.data;
      const before = [...pending].flatMap(([each, lines]) => toWarnings(lines, each, currency));
      pending.clear();
      shopCurrency = currency;
      return before.sort((a, b) => a.line - b.line);
    }
    const currency = readCurrency(event);
    if (currency === undefined) return [];
    if (shopCurrency !== undefined) return toWarnings([line], currency, shopCurrency);
    const lines = pending.get(currency) ?? [];
    pending.set(currency, lines);
    if (lines.length < maxPendingLines) lines.push(line);
    return [];
  };
};

/** Reads the currency of an event's price. @returns undefined for an event without a price */
const readCurrency = ({ type, data }: ShopEvent): string | undefined =>
  type === "shop.product.upserted" ||
  type === "shop.product.patched" ||
  type === "shop.price.changed"
    ? data.price?.currency
    : undefined;

const toWarnings = (
  lines: readonly number[],
  currency: string,
  shopCurrency: string,
): readonly LintWarningLine[] =>
  currency === shopCurrency
    ? []
    : lines.map((line) => ({
        line,
        field: "data.price.currency",
        reason: `the price is in ${currency}, and the shop's currency is ${shopCurrency}: it is shown, and is in no price range, facet or order`,
      }));
