import { joinBlocks, section } from "../../text/markdown/blocks.ts";
import { escapeInline } from "../../text/markdown/escape.ts";
import { embedMarkdown } from "../../text/markdown/sanitize.ts";
import type { ProductDetail, ProductFragments } from "../schema/documents.ts";

/**
 * Builds the fragments of a product. The order of their members is the stored form.
 * @param url URL of the product at the shop, by which relative links of its description are resolved
 */
export const buildProductFragments = (
  url: string,
  { markdown, categoryIds, specifications, images }: ProductDetail,
): ProductFragments => ({
  categoryIds,
  specifications: specifications.map(({ name, value }) => ({ name, value })),
  images: images.map(({ url, alt }) => ({ url, alt: alt ?? null })),
  sections: joinBlocks(
    section("Description", markdown && embedMarkdown(markdown, url)),
    section("Specifications", formatTable(specifications)),
  ),
});

const formatTable = (rows: ProductDetail["specifications"]): string | undefined =>
  rows.length === 0
    ? undefined
    : [
        "| Name | Value |",
        "| --- | --- |",
        ...rows.map(({ name, value }) => `| ${escapeInline(name)} | ${escapeInline(value)} |`),
      ].join("\n");
