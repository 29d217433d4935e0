import type { ShopEvent } from "../../events/event.ts";
import type { OddLine } from "./warnings.ts";

/** Lines kept of each currency until the settings come: as many as are shown. */
const maxWaiting = 1_000;

/**
 * Watches for prices in another currency than the settings of the same file name: hardly what the shop means. Those
 * before the first settings are compared with these.
 */
export const watchCurrencies = (): ((event: ShopEvent, line: number) => readonly OddLine[]) => {
  const waiting = new Map<string, OddLine[]>();
  let shopCurrency: string | undefined;
  return (event, line) => {
    if (event.type === "shop.settings.updated") {
      shopCurrency = event.data.currency;
      const others = [...waiting].filter(([currency]) => currency !== shopCurrency);
      waiting.clear();
      return others
        .flatMap(([, lines]) => lines)
        .sort((a, b) => a.line - b.line)
        .map((odd) => ({ ...odd, reason: reasonOf(odd.reason, shopCurrency ?? "") }));
    }
    const currency = currencyOf(event);
    if (currency === undefined || currency === shopCurrency) return [];
    const odd = { line, field: "data.price.currency" };
    if (shopCurrency !== undefined) return [{ ...odd, reason: reasonOf(currency, shopCurrency) }];
    const before = waiting.get(currency) ?? [];
    waiting.set(currency, before);
    if (before.length < maxWaiting) before.push({ ...odd, reason: currency });
    return [];
  };
};
