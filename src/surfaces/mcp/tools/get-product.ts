import type { Product } from "../../../read-model/reader/product.ts";
import type { Snapshot } from "../../../read-model/reader/reader.ts";
import type { ListedCategory } from "../../../read-model/schema/documents.ts";
import { joinLines } from "../../format.ts";
import { markdownUrl } from "../../markdown/url.ts";
import type { NameIn } from "../../product-members.ts";
import { readPolicy } from "../../shop-info.ts";
import { notFound } from "../../user-error.ts";
import { factLine, identityLines } from "../../words/facts.ts";
import { plain } from "../../words/style.ts";
import type { Fields } from "../offer-answer.ts";
import {
  formatVariants,
  type ProductSource,
  productLines,
  toProductFields,
} from "../product-answer.ts";
import { markLines } from "../text-bound.ts";
import { formatSpecification } from "../variant-answer.ts";
import { type Id, parseId, type Tool } from "./tool.ts";

interface Arguments {
  readonly product_id: Id;
  readonly variant_limit?: number;
  readonly variant_offset?: number;
}

export const getProduct: Tool<Arguments> = {
  name: "get_product",
  answer({ snapshot, baseUrl }, args) {
    const { product_id: requestedId } = args;
    const product = snapshot.product(parseId(requestedId));
    if (!product) return notFound(["product_id"], `No product has the id ${requestedId}.`);
    const data = {
      product,
      categories: product.text.categoryIds.flatMap((id) => snapshot.listedCategory(id) ?? []),
      address: markdownUrl(baseUrl, product.text.url),
      source: readSource(snapshot, product, args),
    };
    return { structured: { product: toStructured(data) }, text: toText(data) };
  },
};

/** Variants in one answer when the call does not say how many. */
const defaultVariants = 100;

const readSource = (
  snapshot: Snapshot,
  product: Product,
  { variant_limit: first = defaultVariants, variant_offset: offset = 0 }: Arguments,
): ProductSource => {
  const { text, offer, variants } = product;
  const page = (variants?.ids ?? []).slice(offset, offset + first);
  return {
    text,
    offer,
    offset,
    total: variants?.ids.length ?? 0,
    facts: { ...text.facts, related: snapshot.relatedProducts(product) },
    policy: readPolicy(snapshot),
    variants: page.flatMap((_, at) => variants?.at(offset + at) ?? []),
  };
};

interface ProductData {
  readonly product: Product;
  readonly categories: readonly ListedCategory[];
  /** URL of the page's Markdown. */
  readonly address: string;
  readonly source: ProductSource;
}

const toStructured = ({ product, categories, address, source }: ProductData): object => {
  const { id, name, url, reference, gtin, brand, specifications, images } = product.text;
  const { price, availability } = product.offer;
  const published = {
    id,
    name,
    description: product.description,
    url,
    markdown_url: address,
    reference,
    gtin,
    brand,
    price,
    availability,
    updated_at: product.updatedAt,
    specifications: specifications.map((row) => ({ name: row.name, value: row.value })),
    categories: categories.map(({ id, name, url }) => ({ id, name, url })),
    images: images.map((image) => ({ url: image.url, alt: image.alt ?? null })),
  } satisfies Fields<Exclude<NameIn<"tool", "text">, "options">>;
  return Object.assign(published, toProductFields(source));
};

const toText = ({ product, categories, address, source }: ProductData): string => {
  const { id, name, url, specifications, images } = product.text;
  const { description } = product;
  return joinLines(
    `${name} (id ${id})`,
    ...productLines(source),
    formatVariants(source),
    ...identityLines(product.text, plain),
    ...factLine("Categories", categories.map((each) => `${each.name} (id ${each.id})`).join(", ")),
    `Page: ${url}`,
    `As Markdown: ${address}`,
    `Updated: ${product.updatedAt}`,
    ...specifications.map((row) => `- ${formatSpecification(row)}`),
    ...images.map((image) => `Image: ${image.url}${image.alt ? ` (${image.alt})` : ""}`),
    description === null
      ? undefined
      : `\nDescription (text of the merchant):\n${markLines(description)}`,
  );
};
