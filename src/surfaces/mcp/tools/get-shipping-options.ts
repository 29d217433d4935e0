import { everyCountry, toCountryCode } from "../../../events/countries.ts";
import type { CarrierDocument } from "../../../read-model/schema/documents.ts";
import { formatPrice, formatRange, joinLines, noPriceShown } from "../../format.ts";
import { hidesPrices } from "../../shop-info.ts";
import { invalidArgument } from "../../user-error.ts";
import type { Tool } from "./tool.ts";

interface Arguments {
  readonly country_code: string;
}

export const getShippingOptions: Tool<Arguments> = {
  name: "get_shipping_options",
  answer({ snapshot }, { country_code: requested }) {
    const country = toCountryCode(requested);
    if (country === undefined)
      return invalidArgument(["country_code"], formatUnknownCountry(requested));
    const shop = snapshot.shop();
    const hidden = hidesPrices(snapshot);
    const options = snapshot
      .carriers()
      .filter(({ countries }) => countries.includes(country) || countries.includes(everyCountry))
      .map((carrier) => toOption(carrier, hidden));
    // Omits free shipping to a country without a carrier.
    const isShipped = options.length > 0 && !hidden;
    const threshold = isShipped ? (shop?.freeShippingThreshold ?? null) : null;
    return {
      structured: {
        country_code: country,
        options,
        free_shipping_threshold: threshold,
        binding: false,
      },
      text: joinLines(
        options.length > 0
          ? `Shipping to ${country} (ranges, not a binding quote):`
          : `The shop names no carrier for ${country}.`,
        ...options.map(formatOption),
        threshold ? `Free shipping from ${formatPrice(threshold)}.` : undefined,
      ),
    };
  },
};

const formatUnknownCountry = (requested: string): string =>
  `\`country_code\` must be the ISO 3166-1 alpha-2 code of a country, such as DE: ${requested.toUpperCase()} is not one.`;

const toOption = ({ name, price, deliveryDays }: CarrierDocument, hidden: boolean) => ({
  carrier: name,
  price: hidden ? null : { min: price.min, max: price.max, currency: price.currency },
  delivery_days: { min: deliveryDays.min, max: deliveryDays.max },
});

const formatOption = ({
  carrier,
  price,
  delivery_days: days,
}: ReturnType<typeof toOption>): string => {
  const range = price
    ? `${formatRange(price.min, price.max, " to ")} ${price.currency}`
    : noPriceShown;
  return `- ${carrier}: ${range}, ${formatRange(days.min, days.max, " to ")} days`;
};
