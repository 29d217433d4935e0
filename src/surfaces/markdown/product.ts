import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { ProductDetail, ProductDocument } from "../../read-model/schema/documents.ts";
import { blocks, type Rendered, section } from "./document.ts";
import { autolink, inline, link } from "./escape.ts";
import { prose } from "./sanitize.ts";
import { locationOf, markdownAddress } from "./url.ts";

/** Renders a product page (Specification §4.4): name, metadata, description, specifications, categories, images. */
export const productPage = (
  snapshot: Snapshot,
  baseUrl: string,
  id: number,
): Rendered | undefined => {
  const product = snapshot.product(id);
  if (!product) return undefined;
  const detail = snapshot.productDetail(id);
  const categories = (detail?.categoryIds ?? []).flatMap(
    (category) => snapshot.category(category) ?? [],
  );
  return {
    ...locationOf(baseUrl, product.url),
    // A late stock or price event changes the page and may be older, so the time alone does not validate a cached page.
    lastModified: product.lastmod,
    markdown: blocks(
      `# ${inline(product.name)}`,
      formatMetadata(product),
      section("Description", detail?.markdown && prose(detail.markdown, product.url)),
      section("Specifications", formatSpecifications(detail)),
      section(
        "Categories",
        categories
          .map(({ name, url }) => `- ${link(name, markdownAddress(baseUrl, url))}`)
          .join("\n"),
      ),
      section("Images", formatImages(detail)),
    ),
  };
};

const formatMetadata = (product: ProductDocument): string =>
  [
    `- Price: ${priceOf(product)}`,
    `- Availability: ${product.availability}`,
    ...metadataLine("Brand", product.brand),
    ...metadataLine("Reference", product.reference),
    ...metadataLine("GTIN", product.gtin),
    `- Id: ${product.id}`,
    `- Updated: ${product.updatedAt}`,
    `- Page: ${autolink(product.url)}`,
  ].join("\n");

const metadataLine = (name: string, value: string | null): string[] =>
  value ? [`- ${name}: ${inline(value)}`] : [];

/** Formats amount and currency: `12.90 EUR`. */
export const priceOf = ({ price }: Pick<ProductDocument, "price">): string =>
  price ? `${price.amount} ${price.currency}` : "not shown";

const formatSpecifications = (detail: ProductDetail | undefined): string | undefined => {
  const rows = detail?.specifications ?? [];
  if (rows.length === 0) return undefined;
  return [
    "| Name | Value |",
    "| --- | --- |",
    ...rows.map(({ name, value }) => `| ${inline(name)} | ${inline(value)} |`),
  ].join("\n");
};

const formatImages = (detail: ProductDetail | undefined): string =>
  (detail?.images ?? []).map(({ url, alt }) => `- ${link(alt ?? "", url)}`).join("\n");
