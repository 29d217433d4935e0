import { type JsonMembers, parseMember } from "../../../read-model/reader/product-json.ts";
import type { Snapshot } from "../../../read-model/reader/reader.ts";
import type { ListedCategory, ProductFragments } from "../../../read-model/schema/documents.ts";
import type { Specification } from "../../../read-model/schema/goods.ts";
import { joinLines } from "../../format.ts";
import { markdownUrl } from "../../markdown/url.ts";
import { notFound } from "../../user-error.ts";
import { formatSpecification } from "../goods/offer-text.ts";
import { writeMembers } from "../goods/omit-empty.ts";
import { type GoodsSource, toGoodsFields } from "../goods/product-fields.ts";
import { formatGoods, formatPriceAndStock, formatVariants } from "../goods/product-text.ts";
import {
  escapeJson,
  isBlank,
  markStoredLines,
  type ProductMembers,
  unquote,
  writeAvailability,
  writeLines,
  writePrice,
} from "./stored-json.ts";
import { type Id, parseId, type Tool } from "./tool.ts";

interface Arguments {
  readonly product_id: Id;
  readonly variant_limit?: number;
  readonly variant_offset?: number;
}

/** Copies the stored JSON of a product and of its fragments, and adds its goods where it has any. */
export const getProduct: Tool<Arguments> = {
  name: "get_product",
  answer({ snapshot, baseUrl }, args) {
    const { product_id: requestedId } = args;
    const id = parseId(requestedId);
    const product = snapshot.productMembers(id);
    const fragments = snapshot.productFragments(id);
    if (!product || !fragments)
      return notFound(["product_id"], `No product has the id ${requestedId}.`);
    const categories = parseMember(fragments, "categoryIds").flatMap(
      (categoryId) => snapshot.listedCategory(categoryId) ?? [],
    );
    const address = escapeJson(markdownUrl(baseUrl, parseMember(product, "url")));
    const { specifications = [] } = snapshot.productDetail(id) ?? {};
    const hasGoods = snapshot.hasGoods(id) || specifications.some(({ typed }) => typed);
    const goods = hasGoods ? readGoods(snapshot, id, specifications, args) : undefined;
    const data = { product, fragments, categories, address, specifications, goods };
    return {
      structuredJson: `{"product":${writeProduct(data)}}`,
      textJson: writeText(data),
    };
  },
};

/** Variants in one answer when the call does not say how many. */
const defaultVariants = 100;

const readGoods = (
  snapshot: Snapshot,
  id: number,
  specifications: readonly Specification[],
  { variant_limit: first = defaultVariants, variant_offset: offset = 0 }: Arguments,
): GoodsSource | undefined => {
  const offer = snapshot.productOffer(id);
  const goods = snapshot.productGoods(id);
  if (!offer) return undefined;
  const ids = goods?.variantIds ?? [];
  const after = ids[offset - 1];
  const isPastEnd = offset > 0 && after === undefined;
  const page = isPastEnd
    ? undefined
    : snapshot.variants(id, { first, ...(after && { after: [after] }) });
  return {
    ...{ id, offer, shop: snapshot.shop(), specifications },
    goods: goods && { ...goods, facts: { ...goods.facts, related: snapshot.relatedProducts(id) } },
    variants: page ?? { ...noVariants, total: ids.length },
    offset,
  };
};

const noVariants = { variants: [], total: 0, hasNextPage: false, hasPreviousPage: false } as const;

interface ProductData {
  readonly product: ProductMembers;
  readonly fragments: JsonMembers<ProductFragments>;
  readonly categories: readonly ListedCategory[];
  /** URL of the page's Markdown, as the inside of a JSON string. */
  readonly address: string;
  readonly specifications: readonly Specification[];
  /** Undefined for a product with a price, a stock and texts alone. */
  readonly goods: GoodsSource | undefined;
}

const writeProduct = ({ product, fragments, categories, address, goods }: ProductData): string => {
  const summaries = categories.map(({ id, name, url }) => ({ id, name, url }));
  return `{${[
    `"id":${product.id}`,
    `"name":${product.name}`,
    `"description":${product.description}`,
    `"url":${product.url}`,
    `"markdown_url":"${address}"`,
    `"reference":${product.reference}`,
    `"gtin":${product.gtin}`,
    `"brand":${product.brand}`,
    `"price":${product.price}`,
    `"availability":${product.availability}`,
    `"updated_at":${product.updatedAt}`,
    `"specifications":${fragments.specifications}`,
    `"categories":${JSON.stringify(summaries)}`,
    `"images":${fragments.images}`,
  ].join()}${goods ? writeMembers(toGoodsFields(goods)) : ""}}`;
};

const writeText = (data: ProductData): string => {
  const { product, categories, address, goods } = data;
  const names = categories.map(({ name, id }) => `${name} (id ${id})`).join(", ");
  return writeLines(
    `${unquote(product.name)} (id ${product.id})`,
    goods
      ? escapeJson(formatPriceAndStock(goods))
      : `Price: ${writePrice(product)}\\nAvailability: ${writeAvailability(product)}`,
    goods && escapeJson(joinLines(formatGoods(goods), formatVariants(goods))),
    writeLine("Brand", product.brand),
    writeLine("Reference", product.reference),
    writeLine("GTIN", product.gtin),
    names && `Categories: ${escapeJson(names)}`,
    `Page: ${unquote(product.url)}`,
    `As Markdown: ${address}`,
    `Updated: ${unquote(product.updatedAt)}`,
    escapeJson(formatLines(data)),
    isBlank(product.description)
      ? undefined
      : `\\nDescription (text of the merchant):\\n${markStoredLines(product.description)}`,
  );
};

const formatLines = ({ fragments, specifications }: ProductData): string =>
  [
    ...specifications.map((row) => `- ${formatSpecification(row)}`),
    ...parseMember(fragments, "images").map(
      ({ url, alt }) => `Image: ${url}${alt ? ` (${alt})` : ""}`,
    ),
  ].join("\n");

const writeLine = (name: string, value: string): string | undefined =>
  isBlank(value) ? undefined : `${name}: ${unquote(value)}`;
