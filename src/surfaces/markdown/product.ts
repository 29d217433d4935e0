import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { ProductDetail, ProductDocument } from "../../read-model/schema/documents.ts";
import { formatPrice } from "../format.ts";
import { joinBlocks, type RenderedPage, section } from "./document.ts";
import { autolink, escapeInline, link } from "./escape.ts";
import { embedMarkdown } from "./sanitize.ts";
import { buildPageLocation, markdownUrl } from "./url.ts";

/** Renders a product page (Specification §4.4): name, metadata, description, specifications, categories, images. */
export const productPage = (
  snapshot: Snapshot,
  baseUrl: string,
  id: number,
): RenderedPage | undefined => {
  const product = snapshot.product(id);
  if (!product) return undefined;
  const detail = snapshot.productDetail(id);
  const categories = (detail?.categoryIds ?? []).flatMap(
    (category) => snapshot.category(category) ?? [],
  );
  return {
    ...buildPageLocation(baseUrl, product.url),
    // A late stock or price event changes the page and may be older, so the time alone does not validate a cached page.
    lastModified: product.lastmod,
    markdown: joinBlocks(
      `# ${escapeInline(product.name)}`,
      formatMetadata(product),
      section("Description", detail?.markdown && embedMarkdown(detail.markdown, product.url)),
      section("Specifications", formatSpecifications(detail)),
      section(
        "Categories",
        categories.map(({ name, url }) => `- ${link(name, markdownUrl(baseUrl, url))}`).join("\n"),
      ),
      section("Images", formatImages(detail)),
    ),
  };
};

const formatMetadata = (product: ProductDocument): string =>
  [
    `- Price: ${formatPrice(product.price, hiddenPrice)}`,
    `- Availability: ${product.availability}`,
    ...metadataLine("Brand", product.brand),
    ...metadataLine("Reference", product.reference),
    ...metadataLine("GTIN", product.gtin),
    `- Id: ${product.id}`,
    `- Updated: ${product.updatedAt}`,
    `- Page: ${autolink(product.url)}`,
  ].join("\n");

const metadataLine = (name: string, value: string | null): string[] =>
  value ? [`- ${name}: ${escapeInline(value)}`] : [];

/** Text in place of a price that the shop hides. */
export const hiddenPrice = "not shown";

const formatSpecifications = (detail: ProductDetail | undefined): string | undefined => {
  const rows = detail?.specifications ?? [];
  if (rows.length === 0) return undefined;
  return [
    "| Name | Value |",
    "| --- | --- |",
    ...rows.map(({ name, value }) => `| ${escapeInline(name)} | ${escapeInline(value)} |`),
  ].join("\n");
};

const formatImages = (detail: ProductDetail | undefined): string =>
  (detail?.images ?? []).map(({ url, alt }) => `- ${link(alt ?? "", url)}`).join("\n");
