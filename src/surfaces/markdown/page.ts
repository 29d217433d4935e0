import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { PageAddress, PageDocument } from "../../read-model/schema/documents.ts";
import { section } from "../../text/markdown/blocks.ts";
import { autolink, escapeInline } from "../../text/markdown/escape.ts";
import { categoryPage } from "./category.ts";
import { createPage, joinPage, type Page } from "./document.ts";
import { productPage } from "./product.ts";
import { buildPageLocation } from "./url.ts";

/**
 * Reads a page of the shop.
 * @param after cursor of a later page, which only categories have
 * @returns `bad_cursor` when the cursor does not belong to the category, undefined when the page is not visible
 */
export const shopPage = (
  snapshot: Snapshot,
  baseUrl: string,
  { kind, id }: PageAddress,
  after?: string,
): Page | "bad_cursor" | undefined => {
  if (kind === "category") return categoryPage(snapshot, baseUrl, id, after);
  if (after !== undefined) return undefined;
  return (kind === "product" ? productPage : cmsPage)(snapshot, baseUrl, id);
};

/** Reads a published CMS page (Specification §4.4). */
const cmsPage = (snapshot: Snapshot, baseUrl: string, id: number): Page | undefined => {
  const page = snapshot.page(id);
  return (
    page &&
    createPage(
      { lastModified: page.lastmod, ...buildPageLocation(baseUrl, page.url) },
      page,
      renderCmsPage,
    )
  );
};

/** Renders title, metadata, and the stored text under one heading. */
const renderCmsPage = ({ title, policy, lastmod, url, markdown }: PageDocument): string =>
  joinPage(
    `# ${escapeInline(title)}`,
    [
      ...(policy ? [`- Policy: ${policy}`] : []),
      `- Updated: ${lastmod}`,
      `- Page: ${autolink(url)}`,
    ].join("\n"),
    section("Content", markdown),
  );
