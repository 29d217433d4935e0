import { countryOf, everyCountry } from "../../../events/countries.ts";
import type { CarrierDocument } from "../../../read-model/schema/documents.ts";
import { lines, priceText } from "../format.ts";
import { invalidArgument } from "../tool-error.ts";
import type { Tool } from "./tool.ts";

interface Arguments {
  readonly country_code: string;
}

export const getShippingOptions: Tool<Arguments> = {
  name: "get_shipping_options",
  answer({ moment }, { country_code: asked }) {
    const country = countryOf(asked);
    if (country === undefined) return invalidArgument(["country_code"], noCountry(asked));
    const shop = moment.shop();
    const hidden = shop?.pricesVisible === false;
    const options = moment
      .carriers()
      .filter(({ countries }) => countries.includes(country) || countries.includes(everyCountry))
      .map((carrier) => optionOf(carrier, hidden));
    // Nothing ships free to where no carrier goes.
    const isShipped = options.length > 0 && !hidden;
    const threshold = isShipped ? (shop?.freeShippingThreshold ?? null) : null;
    return {
      structured: {
        country_code: country,
        options,
        free_shipping_threshold: threshold,
        binding: false,
      },
      text: lines(
        options.length > 0
          ? `Shipping to ${country} (ranges, not a binding quote):`
          : `The shop names no carrier for ${country}.`,
        ...options.map(line),
        threshold ? `Free shipping from ${priceText(threshold)}.` : undefined,
      ),
    };
  },
};

const noCountry = (asked: string): string =>
  `\`country_code\` must be the ISO 3166-1 alpha-2 code of a country, such as DE: ${asked.toUpperCase()} is none.`;

const optionOf = ({ name, price, deliveryDays }: CarrierDocument, hidden: boolean) => ({
  carrier: name,
  price: hidden ? null : { min: price.min, max: price.max, currency: price.currency },
  delivery_days: { min: deliveryDays.min, max: deliveryDays.max },
});

const line = ({ carrier, price, delivery_days: days }: ReturnType<typeof optionOf>): string => {
  const range = price ? `${span(price.min, price.max)} ${price.currency}` : "no price shown";
  return `- ${carrier}: ${range}, ${span(days.min, days.max)} days`;
};

const span = (min: string | number, max: string | number): string =>
  min === max ? `${min}` : `${min} to ${max}`;
