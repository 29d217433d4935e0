import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { PageDocument } from "../../read-model/schema/documents.ts";
import { section } from "../../text/markdown/blocks.ts";
import { autolink, escapeInline } from "../../text/markdown/escape.ts";
import { createPage, joinPage, type Page } from "./document.ts";
import { buildPageLocation } from "./url.ts";

/** Reads a published CMS page (Specification §4.4). */
export const cmsPage = (snapshot: Snapshot, baseUrl: string, id: number): Page | undefined => {
  const page = snapshot.page(id);
  return (
    page &&
    createPage(
      { ...buildPageLocation(baseUrl, page.url), lastModified: page.lastmod },
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
