import type { Snapshot } from "../../../read-model/reader/reader.ts";
import type { ProductDetail, ProductDocument } from "../../../read-model/schema/documents.ts";
import { formatAvailability, formatPrice, joinLines } from "../../format.ts";
import { markdownUrl } from "../../markdown/url.ts";
import { notFound } from "../../user-error.ts";
import { type Id, parseId, type Tool } from "./tool.ts";

interface Arguments {
  readonly product_id: Id;
}

export const getProduct: Tool<Arguments> = {
  name: "get_product",
  answer({ snapshot, baseUrl }, { product_id: requestedId }) {
    const id = parseId(requestedId);
    const product = snapshot.product(id);
    const detail = snapshot.productDetail(id);
    if (!product || !detail)
      return notFound(["product_id"], `No product has the id ${requestedId}.`);
    const data = toProductData(snapshot, product, detail, baseUrl);
    return { structured: { product: data }, text: formatProduct(data) };
  },
};

const toProductData = (
  snapshot: Snapshot,
  product: ProductDocument,
  detail: ProductDetail,
  baseUrl: string,
) => ({
  id: product.id,
  name: product.name,
  description: product.description,
  url: product.url,
  markdown_url: markdownUrl(baseUrl, product.url),
  reference: product.reference,
  gtin: product.gtin,
  brand: product.brand,
  price: product.price,
  availability: product.availability,
  updated_at: product.updatedAt,
  specifications: detail.specifications.map(({ name, value }) => ({ name, value })),
  categories: detail.categoryIds.flatMap((categoryId) => {
    const category = snapshot.category(categoryId);
    return category ? [{ id: category.id, name: category.name, url: category.url }] : [];
  }),
  images: detail.images.map(({ url, alt }) => ({ url, alt: alt ?? null })),
});

const formatProduct = (product: ReturnType<typeof toProductData>): string =>
  joinLines(
    `${product.name} (id ${product.id})`,
    `Price: ${formatPrice(product.price)}`,
    `Availability: ${formatAvailability(product.availability)}`,
    formatLine("Brand", product.brand),
    formatLine("Reference", product.reference),
    formatLine("GTIN", product.gtin),
    formatLine(
      "Categories",
      product.categories.map(({ name, id }) => `${name} (id ${id})`).join(", "),
    ),
    `Page: ${product.url}`,
    `As Markdown: ${product.markdown_url}`,
    `Updated: ${product.updated_at}`,
    ...product.specifications.map(({ name, value }) => `- ${name}: ${value}`),
    ...product.images.map(({ url, alt }) => `Image: ${url}${alt ? ` (${alt})` : ""}`),
    product.description ? `\n${product.description}` : undefined,
  );

const formatLine = (name: string, value: string | null): string | undefined =>
  value ? `${name}: ${value}` : undefined;
