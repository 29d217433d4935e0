import { type JsonMembers, parseMember } from "../../read-model/reader/product-json.ts";
import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { ProductDocument, ProductFragments } from "../../read-model/schema/documents.ts";
import { section } from "../../text/markdown/blocks.ts";
import { autolink, escapeInline, link } from "../../text/markdown/escape.ts";
import { formatPrice } from "../format.ts";
import { joinPage, type RenderedPage } from "./document.ts";
import { buildPageLocation, markdownUrl } from "./url.ts";

/**
 * Renders a product page (Specification §4.4): name, metadata, description, specifications, categories, images. The sections of
 * description and specifications are stored as they are served.
 */
export const productPage = (
  snapshot: Snapshot,
  baseUrl: string,
  id: number,
): RenderedPage | undefined => {
  const product = snapshot.productMembers(id);
  const fragments = snapshot.productFragments(id);
  if (!product || !fragments) return undefined;
  return {
    ...buildPageLocation(baseUrl, parseMember(product, "url")),
    // A late stock or price event changes the page and may be older, so the time alone does not validate a cached page.
    lastModified: parseMember(product, "lastmod"),
    markdown: joinPage(
      `# ${escapeInline(parseMember(product, "name"))}`,
      formatMetadata(product),
      parseMember(fragments, "sections"),
      section("Categories", formatCategories(snapshot, baseUrl, fragments)),
      section("Images", formatImages(fragments)),
    ),
  };
};

const formatMetadata = (product: JsonMembers<ProductDocument>): string =>
  [
    `- Price: ${formatPrice(parseMember(product, "price"), hiddenPrice)}`,
    `- Availability: ${parseMember(product, "availability")}`,
    ...metadataLine("Brand", parseMember(product, "brand")),
    ...metadataLine("Reference", parseMember(product, "reference")),
    ...metadataLine("GTIN", parseMember(product, "gtin")),
    `- Id: ${product.id}`,
    `- Updated: ${parseMember(product, "updatedAt")}`,
    `- Page: ${autolink(parseMember(product, "url"))}`,
  ].join("\n");

const metadataLine = (name: string, value: string | null): string[] =>
  value ? [`- ${name}: ${escapeInline(value)}`] : [];

/** Text in place of a price that the shop hides. */
export const hiddenPrice = "not shown";

const formatCategories = (
  snapshot: Snapshot,
  baseUrl: string,
  fragments: JsonMembers<ProductFragments>,
): string =>
  parseMember(fragments, "categoryIds")
    .flatMap((id) => snapshot.category(id) ?? [])
    .map(({ name, url }) => `- ${link(name, markdownUrl(baseUrl, url))}`)
    .join("\n");

const formatImages = (fragments: JsonMembers<ProductFragments>): string =>
  parseMember(fragments, "images")
    .map(({ url, alt }) => `- ${link(alt ?? "", url)}`)
    .join("\n");
