import type { Snapshot } from "../../read-model/reader/reader.ts";
import { joinBlocks, type RenderedPage, section } from "./document.ts";
import { autolink, escapeInline } from "./escape.ts";
import { embedMarkdown } from "./sanitize.ts";
import { buildPageLocation } from "./url.ts";

/** Renders a published CMS page (Specification §4.4): title, metadata, and its text under one heading. */
export const cmsPage = (
  snapshot: Snapshot,
  baseUrl: string,
  id: number,
): RenderedPage | undefined => {
  const page = snapshot.page(id);
  if (!page) return undefined;
  return {
    ...buildPageLocation(baseUrl, page.url),
    lastModified: page.lastmod,
    markdown: joinBlocks(
      `# ${escapeInline(page.title)}`,
      [
        ...(page.policy ? [`- Policy: ${page.policy}`] : []),
        `- Updated: ${page.lastmod}`,
        `- Page: ${autolink(page.url)}`,
      ].join("\n"),
      section("Content", embedMarkdown(page.markdown, page.url)),
    ),
  };
};
