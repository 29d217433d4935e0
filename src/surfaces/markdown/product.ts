import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { ProductDetail, ProductDocument } from "../../read-model/schema/documents.ts";
import { blocks, type Rendered, section } from "./document.ts";
import { autolink, inline, link } from "./escape.ts";
import { prose } from "./sanitize.ts";
import { locationOf, markdownAddress } from "./url.ts";

/** A product's page (§4.4): name, facts, description, specifications, categories, images. */
export const productPage = (
  moment: Snapshot,
  baseUrl: string,
  id: number,
): Rendered | undefined => {
  const product = moment.product(id);
  if (!product) return undefined;
  const detail = moment.productDetail(id);
  const categories = (detail?.categoryIds ?? []).flatMap(
    (category) => moment.category(category) ?? [],
  );
  return {
    ...locationOf(baseUrl, product.url),
    lastModified: product.lastmod,
    // A late event of its stock or price changes it, and may be older than what changed it last.
    markdown: blocks(
      `# ${inline(product.name)}`,
      facts(product),
      section("Description", detail?.markdown && prose(detail.markdown, product.url)),
      section("Specifications", specifications(detail)),
      section(
        "Categories",
        categories
          .map(({ name, url }) => `- ${link(name, markdownAddress(baseUrl, url))}`)
          .join("\n"),
      ),
      section("Images", images(detail)),
    ),
  };
};

const facts = (product: ProductDocument): string =>
  [
    `- Price: ${priceOf(product)}`,
    `- Availability: ${product.availability}`,
    ...fact("Brand", product.brand),
    ...fact("Reference", product.reference),
    ...fact("GTIN", product.gtin),
    `- Id: ${product.id}`,
    `- Updated: ${product.updatedAt}`,
    `- Page: ${autolink(product.url)}`,
  ].join("\n");

const fact = (name: string, value: string | null): string[] =>
  value ? [`- ${name}: ${inline(value)}`] : [];

/** Amount and currency, as in `12.90 EUR`. */
export const priceOf = ({ price }: Pick<ProductDocument, "price">): string =>
  price ? `${price.amount} ${price.currency}` : "not shown";

const specifications = (detail: ProductDetail | undefined): string | undefined => {
  const rows = detail?.specifications ?? [];
  if (rows.length === 0) return undefined;
  return [
    "| Name | Value |",
    "| --- | --- |",
    ...rows.map(({ name, value }) => `| ${inline(name)} | ${inline(value)} |`),
  ].join("\n");
};

const images = (detail: ProductDetail | undefined): string =>
  (detail?.images ?? []).map(({ url, alt }) => `- ${link(alt ?? "", url)}`).join("\n");
