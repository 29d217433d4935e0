import type { Snapshot } from "../../read-model/reader.ts";
import { locationOf } from "./address.ts";
import { autolink, inline } from "./inline.ts";
import { prose } from "./prose.ts";
import { blocks, type Rendered, section } from "./rendered.ts";

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
