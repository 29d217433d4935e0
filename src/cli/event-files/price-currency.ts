import type { Money, ShopEvent } from "../../events/event.ts";
import type { Oddity } from "./warnings.ts";

/**
 * Finds prices in another currency than the shop's, which the newest settings before them in the file name.
 * @returns what is odd about the next event
 */
export const watchPriceCurrencies = (): ((event: ShopEvent) => readonly Oddity[]) => {
  let currency: string | undefined;
  return (event) => {
    if (event.type === "shop.settings.updated") currency = event.data.currency;
    const priceCurrency = priceOf(event)?.currency;
    if (currency === undefined || priceCurrency === undefined || priceCurrency === currency) {
      return [];
    }
    return [
      {
        field: "data.price.currency",
        reason: `the shop's currency is ${currency}: a price in ${priceCurrency} is shown, and is in no price range, facet or order`,
      },
    ];
  };
};

const priceOf = (event: ShopEvent): Partial<Money> | null | undefined => {
  switch (event.type) {
    case "shop.product.upserted":
    case "shop.product.patched":
    case "shop.price.changed":
      return event.data.price;
    default:
      return undefined;
  }
};
