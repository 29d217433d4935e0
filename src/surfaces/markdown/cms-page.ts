import type { Snapshot } from "../../read-model/reader/reader.ts";
import { blocks, type Rendered, section } from "./document.ts";
import { autolink, inline } from "./escape.ts";
import { prose } from "./sanitize.ts";
import { locationOf } from "./url.ts";

/** Renders a published CMS page (Specification §4.4): title, metadata, and its text under one heading. */
export const contentPage = (
  snapshot: Snapshot,
  baseUrl: string,
  id: number,
): Rendered | undefined => {
  const page = snapshot.page(id);
  if (!page) return undefined;
  return {
    ...locationOf(baseUrl, page.url),
    lastModified: page.lastmod,
    markdown: blocks(
      `# ${inline(page.title)}`,
      [
        ...(page.policy ? [`- Policy: ${page.policy}`] : []),
        `- Updated: ${page.lastmod}`,
        `- Page: ${autolink(page.url)}`,
      ].join("\n"),
      section("Content", prose(page.markdown, page.url)),
    ),
  };
};
