import type { Snapshot } from "../../read-model/reader/reader.ts";
import { blocks, type Rendered, section } from "./document.ts";
import { autolink, inline } from "./escape.ts";
import { prose } from "./sanitize.ts";
import { locationOf } from "./url.ts";

/** A published CMS page (§4.4): title, facts, and its text under one heading. */
export const contentPage = (
  moment: Snapshot,
  baseUrl: string,
  id: number,
): Rendered | undefined => {
  const page = moment.page(id);
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
