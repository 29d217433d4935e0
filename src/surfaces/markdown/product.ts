import type {
  CategoryDocument,
  ProductDetail,
  ProductDocument,
} from "../../read-model/documents.ts";
import type { Snapshot } from "../../read-model/reader.ts";
import { markdownAddress } from "./address.ts";
import { withAncestors } from "./ancestors.ts";
import { autolink, inline, link } from "./inline.ts";
import { prose } from "./prose.ts";
import { blocks, newest, type Rendered, section } from "./rendered.ts";

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
    canonical: product.url,
    address: markdownAddress(baseUrl, product.url),
    lastModified: product.lastmod,
    dated: categories.length === detail?.categoryIds.length && isDated(moment, product, categories),
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

/** Categories above its own that are looked at for a product; no catalogue of people has so many above one thing. */
const mostAbove = 1_000;

/**
 * Whether the product changed last of all that its page shows. A category that is not shown may have been, and leaves
 * no time behind when it goes; one is shown again when a category above it is. Of more than can be looked at, nothing
 * is known.
 */
const isDated = (
  moment: Snapshot,
  { lastmod }: ProductDocument,
  categories: readonly CategoryDocument[],
): boolean => {
  const chains = withAncestors(moment, categories, mostAbove);
  if (!chains) return false;
  const beside = newest(moment.shop()?.updatedAt, ...chains.map((category) => category.lastmod));
  return beside === undefined || beside <= lastmod;
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
