import { type JsonMembers, parseMember } from "../../../read-model/reader/product-json.ts";
import type { ListedCategory, ProductFragments } from "../../../read-model/schema/documents.ts";
import { markdownUrl } from "../../markdown/url.ts";
import { notFound } from "../../user-error.ts";
import {
  escapeJson,
  isBlank,
  type ProductMembers,
  unquote,
  writeAvailability,
  writeLines,
  writePrice,
} from "./stored-json.ts";
import { type Id, parseId, type Tool } from "./tool.ts";

interface Arguments {
  readonly product_id: Id;
}

/** Copies the stored JSON of a product and of its fragments. */
export const getProduct: Tool<Arguments> = {
  name: "get_product",
  answer({ snapshot, baseUrl }, { product_id: requestedId }) {
    const id = parseId(requestedId);
    const product = snapshot.productMembers(id);
    const fragments = snapshot.productFragments(id);
    if (!product || !fragments)
      return notFound(["product_id"], `No product has the id ${requestedId}.`);
    const categories = parseMember(fragments, "categoryIds").flatMap(
      (categoryId) => snapshot.listedCategory(categoryId) ?? [],
    );
    const address = escapeJson(markdownUrl(baseUrl, parseMember(product, "url")));
    const data = { product, fragments, categories, address };
    return {
      structuredJson: `{"product":${writeProduct(data)}}`,
      textJson: writeText(data),
    };
  },
};

interface ProductData {
  readonly product: ProductMembers;
  readonly fragments: JsonMembers<ProductFragments>;
  readonly categories: readonly ListedCategory[];
  /** URL of the page's Markdown, as the inside of a JSON string. */
  readonly address: string;
}

const writeProduct = ({ product, fragments, categories, address }: ProductData): string => {
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
  ].join()}}`;
};

const writeText = ({ product, fragments, categories, address }: ProductData): string => {
  const names = categories.map(({ name, id }) => `${name} (id ${id})`).join(", ");
  return writeLines(
    `${unquote(product.name)} (id ${product.id})`,
    `Price: ${writePrice(product)}`,
    `Availability: ${writeAvailability(product)}`,
    writeLine("Brand", product.brand),
    writeLine("Reference", product.reference),
    writeLine("GTIN", product.gtin),
    names && `Categories: ${escapeJson(names)}`,
    `Page: ${unquote(product.url)}`,
    `As Markdown: ${address}`,
    `Updated: ${unquote(product.updatedAt)}`,
    escapeJson(formatLines(fragments)),
    isBlank(product.description) ? undefined : `\\n${unquote(product.description)}`,
  );
};

const formatLines = (fragments: JsonMembers<ProductFragments>): string =>
  [
    ...parseMember(fragments, "specifications").map(({ name, value }) => `- ${name}: ${value}`),
    ...parseMember(fragments, "images").map(
      ({ url, alt }) => `Image: ${url}${alt ? ` (${alt})` : ""}`,
    ),
  ].join("\n");

const writeLine = (name: string, value: string): string | undefined =>
  isBlank(value) ? undefined : `${name}: ${unquote(value)}`;
