import { toGoodsPolicy } from "../../offers/policy.ts";
import { type JsonMembers, parseMember } from "../../read-model/reader/product-json.ts";
import type { CategoryProducts, Snapshot } from "../../read-model/reader/reader.ts";
import type { ProductDocument } from "../../read-model/schema/documents.ts";
import { link } from "../../text/markdown/escape.ts";
import { formatPrice } from "../format.ts";
import { formatTax, isSpread } from "../words/price.ts";
import { hiddenPrice } from "../words/style.ts";
import { markdownUrl } from "./url.ts";

/** Members of a product as stored JSON. */
type ShownMembers = JsonMembers<Pick<ProductDocument, "name" | "url" | "price" | "availability">>;

export interface ListedProduct extends ShownMembers {
  /** Present when the price is the lowest of several. */
  readonly isLowest?: true;
}

/** Reads what the page of a category shows of its products. */
export const readListedProducts = (
  snapshot: Snapshot,
  products: CategoryProducts["products"],
): readonly ListedProduct[] =>
  products.map((product) => {
    const { name, url, price, availability, offers } = product;
    const isLowest =
      offers !== undefined && isSpread(snapshot.priceRange(parseMember(product, "id")));
    return { name, url, price, availability, ...(isLowest && { isLowest }) };
  });

export const formatListedProducts = (products: readonly ListedProduct[], baseUrl: string): string =>
  products
    .map(({ isLowest, ...members }) => {
      const product: ShownMembers = members;
      const url = markdownUrl(baseUrl, parseMember(product, "url"));
      const price = formatPrice(parseMember(product, "price"), hiddenPrice);
      const availability = parseMember(product, "availability");
      return `- ${link(parseMember(product, "name"), url)}: ${isLowest ? "from " : ""}${price}, ${availability}`;
    })
    .join("\n");

/** Formats whether the listed prices include tax; empty where the shop does not say, or shows none. */
export const readListedTax = (snapshot: Snapshot): string => {
  const shop = snapshot.shop();
  return shop?.pricesVisible ? formatTax(toGoodsPolicy(shop.goods)) : "";
};
