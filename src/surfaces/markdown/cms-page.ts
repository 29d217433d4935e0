import type { Snapshot } from "../../read-model/reader/reader.ts";
import { section } from "../../text/markdown/blocks.ts";
import { autolink, escapeInline } from "../../text/markdown/escape.ts";
import { joinPage, type RenderedPage } from "./document.ts";
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
    markdown: joinPage(
      `# ${escapeInline(page.title)}`,
      [
        ...(page.policy ? [`- Policy: ${page.policy}`] : []),
        `- Updated: ${page.lastmod}`,
        `- Page: ${autolink(page.url)}`,
      ].join("\n"),
      section("Content", page.markdown),
    ),
  };
};
