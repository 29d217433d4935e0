import { toGoodsPolicy } from "../../../offers/policy.ts";
import { type JsonMembers, parseMember } from "../../../read-model/reader/product-json.ts";
import type { Snapshot } from "../../../read-model/reader/reader.ts";
import type {
  ListedCategory,
  ProductDocument,
  ProductFragments,
} from "../../../read-model/schema/documents.ts";
import type { Specification } from "../../../read-model/schema/goods.ts";
import { formatAvailability, formatPrice, joinLines } from "../../format.ts";
import { markdownUrl } from "../../markdown/url.ts";
import { notFound } from "../../user-error.ts";
import { factLine } from "../../words/facts.ts";
import {
  formatVariants,
  type ProductSource,
  productLines,
  toProductFields,
} from "../product-answer.ts";
import { markStoredLines } from "../text-bound.ts";
import { formatSpecification } from "../variant-answer.ts";
import { type Id, parseId, type Tool, writeMembers } from "./tool.ts";

interface Arguments {
  readonly product_id: Id;
  readonly variant_limit?: number;
  readonly variant_offset?: number;
}

/** Copies the stored JSON of a product and of its fragments, and adds its offer, variants and facts where it has any. */
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
    const address = markdownUrl(baseUrl, parseMember(product, "url"));
    const { specifications = [] } = snapshot.productDetail(id) ?? {};
    const isPlain = !snapshot.hasGoods(id) && !specifications.some(({ typed }) => typed);
    const source = isPlain ? undefined : readSource(snapshot, id, specifications, args);
    const data = { product, fragments, categories, address, specifications, source };
    return {
      structuredJson: `{"product":${writeProduct(data)}}`,
      textJson: writeText(data),
    };
  },
};

/** Variants in one answer when the call does not say how many. */
const defaultVariants = 100;

const readSource = (
  snapshot: Snapshot,
  id: number,
  specifications: readonly Specification[],
  { variant_limit: first = defaultVariants, variant_offset: offset = 0 }: Arguments,
): ProductSource | undefined => {
  const offer = snapshot.productOffer(id);
  if (!offer) return undefined;
  const { facts = {}, options = [], variantIds = [] } = snapshot.productGoods(id) ?? {};
  const after = variantIds[offset - 1];
  const isPastEnd = offset > 0 && after === undefined;
  const page = isPastEnd
    ? undefined
    : snapshot.variants(id, { first, ...(after && { after: [after] }) });
  return {
    ...{ id, offer, options, specifications, offset },
    facts: { ...facts, related: snapshot.relatedProducts(id) },
    policy: toGoodsPolicy(snapshot.shop()?.goods),
    variants: page ?? { ...noVariants, total: variantIds.length },
  };
};

const noVariants = { variants: [], total: 0, hasNextPage: false, hasPreviousPage: false } as const;

interface ProductData {
  readonly product: JsonMembers<ProductDocument>;
  readonly fragments: JsonMembers<ProductFragments>;
  readonly categories: readonly ListedCategory[];
  /** URL of the page's Markdown. */
  readonly address: string;
  readonly specifications: readonly Specification[];
  /** Undefined for a product with a price, a stock and texts alone. */
  readonly source: ProductSource | undefined;
}

const writeProduct = ({ product, fragments, categories, address, source }: ProductData): string => {
  const summaries = categories.map(({ id, name, url }) => ({ id, name, url }));
  return `{${[
    ...copyMembers(product, ["id", "name", "description", "url"]),
    `"markdown_url":${JSON.stringify(address)}`,
    ...copyMembers(product, ["reference", "gtin", "brand", "price", "availability"]),
    `"updated_at":${product.updatedAt}`,
    ...copyMembers(fragments, ["specifications"]),
    `"categories":${JSON.stringify(summaries)}`,
    ...copyMembers(fragments, ["images"]),
  ].join()}${source ? writeMembers(toProductFields(source)) : ""}}`;
};

const copyMembers = <V>(from: JsonMembers<V>, names: readonly (keyof V & string)[]) =>
  names.map((name) => `"${name}":${from[name]}`);

/** Writes the text as JSON. The description, which can be long, is copied. */
const writeText = (data: ProductData): string => {
  const { product, fragments, categories, address, specifications, source } = data;
  const text = joinLines(
    `${parseMember(product, "name")} (id ${product.id})`,
    ...(source ? [...productLines(source), formatVariants(source)] : formatPlainOffer(product)),
    ...factLine("Brand", parseMember(product, "brand")),
    ...factLine("Reference", parseMember(product, "reference")),
    ...factLine("GTIN", parseMember(product, "gtin")),
    ...factLine("Categories", categories.map(({ name, id }) => `${name} (id ${id})`).join(", ")),
    `Page: ${parseMember(product, "url")}`,
    `As Markdown: ${address}`,
    `Updated: ${parseMember(product, "updatedAt")}`,
    ...specifications.map((row) => `- ${formatSpecification(row)}`),
    ...parseMember(fragments, "images").map(
      ({ url, alt }) => `Image: ${url}${alt ? ` (${alt})` : ""}`,
    ),
  );
  return `${JSON.stringify(text).slice(0, -1)}${writeDescription(product.description)}"`;
};

const formatPlainOffer = (product: JsonMembers<ProductDocument>): readonly string[] => [
  `Price: ${formatPrice(parseMember(product, "price"))}`,
  `Availability: ${formatAvailability(parseMember(product, "availability"))}`,
];

const writeDescription = (json: string): string =>
  json === "null" || json === '""'
    ? ""
    : `\\n\\nDescription (text of the merchant):\\n${markStoredLines(json)}`;
