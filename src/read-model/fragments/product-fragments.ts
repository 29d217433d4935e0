import { hash } from "node:crypto";
import { formatAttribute } from "../../text/attribute-value.ts";
import { joinBlocks, section } from "../../text/markdown/blocks.ts";
import { autolink, escapeInline, link } from "../../text/markdown/escape.ts";
import { embedMarkdown } from "../../text/markdown/sanitize.ts";
import type { ProductDetail, ProductDocument, ProductFragments } from "../schema/documents.ts";
import type { Specification } from "../schema/goods.ts";

/** Builds the fragments of a product. The order of their members is the stored form. */
export const buildProductFragments = (
  product: ProductDocument,
  detail: ProductDetail,
): ProductFragments => {
  const fragments = renderFragments(product, detail);
  const digest = hash("sha256", JSON.stringify(fragments), "base64url").slice(0, digestLength);
  return { digest, ...fragments };
};

/** Characters of a digest: 132 bits. */
const digestLength = 22;

const renderFragments = (
  product: ProductDocument,
  { markdown, categoryIds, specifications, images }: ProductDetail,
): Omit<ProductFragments, "digest"> => ({
  categoryIds,
  specifications: specifications.map(({ name, value }) => ({ name, value })),
  images: images.map(({ url, alt }) => ({ url, alt: alt ?? null })),
  title: `# ${escapeInline(product.name)}`,
  identity: formatIdentity(product),
  pageLink: `- Page: ${autolink(product.url)}`,
  sections: joinBlocks(
    section("Description", markdown && embedMarkdown(markdown, product.url)),
    section("Specifications", formatSpecifications(specifications)),
  ),
  gallery: section("Images", formatImages(images)) ?? "",
});

const formatIdentity = ({ brand, reference, gtin, id }: ProductDocument): string =>
  [
    ...formatLine("Brand", brand),
    ...formatLine("Reference", reference),
    ...formatLine("GTIN", gtin),
    `- Id: ${id}`,
  ].join("\n");

const formatLine = (name: string, value: string | null): string[] =>
  value ? [`- ${name}: ${escapeInline(value)}`] : [];

const formatImages = (images: ProductDetail["images"]): string =>
  images.map(({ url, alt }) => `- ${link(alt ?? "", url)}`).join("\n");

/** Formats specifications as a table, and those of each group as a table below its heading. */
const formatSpecifications = (specifications: readonly Specification[]): string | undefined => {
  if (specifications.length === 0) return undefined;
  const groups = new Map<string, Specification[]>([["", []]]);
  for (const specification of specifications) {
    const name = specification.typed?.group ?? "";
    const members = groups.get(name);
    if (members) members.push(specification);
    else groups.set(name, [specification]);
  }
  return [...groups]
    .filter(([, members]) => members.length > 0)
    .map(([name, members]) => (name ? `### ${escapeInline(name)}\n\n` : "") + formatTable(members))
    .join("\n\n");
};

const formatTable = (rows: readonly Specification[]): string =>
  [
    "| Name | Value |",
    "| --- | --- |",
    ...rows.map(
      (row) =>
        `| ${escapeInline(row.name)} | ${escapeInline(formatAttribute(row.value, row.typed))} |`,
    ),
  ].join("\n");
