import type { Product } from "../../read-model/reader/product.ts";
import type { Snapshot } from "../../read-model/reader/reader.ts";
import { link } from "../../text/markdown/escape.ts";
import { formatPrice } from "../format.ts";
import { readPolicy } from "../shop-info.ts";
import { formatTax, lowestWord } from "../words/price.ts";
import { hiddenPrice } from "../words/style.ts";
import { toList } from "./facts.ts";
import { markdownUrl } from "./url.ts";

/** Formats the products of a category as a list of links. */
export const formatListedProducts = (products: readonly Product[], baseUrl: string): string =>
  toList(
    products.map(({ text, offer }) => {
      const { price, range, availability } = offer;
      const shown = `${lowestWord(range)}${formatPrice(price, hiddenPrice)}`;
      return `${link(text.name, markdownUrl(baseUrl, text.url))}: ${shown}, ${availability}`;
    }),
  );

/** Formats whether the listed prices include tax; empty where the shop does not say, or shows none. */
export const readListedTax = (snapshot: Snapshot): string => {
  const policy = readPolicy(snapshot);
  return policy.pricesVisible ? formatTax(policy) : "";
};
