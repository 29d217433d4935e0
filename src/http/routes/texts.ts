import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { Site } from "../../surfaces/site.ts";
import { createHomePage } from "../../surfaces/text/home-page.ts";
import type { HtmlPage } from "../../surfaces/text/html-page.ts";
import { llmsTxt } from "../../surfaces/text/llms.ts";
import { homeLocation, overview } from "../../surfaces/text/overview.ts";
import { robotsTxt } from "../../surfaces/text/robots.ts";
import { errorReply } from "../error-reply.ts";
import { getHeader, type Handler, type HasModel } from "../exchange.ts";
import { acceptsHtml, wantsMarkdown } from "../negotiation/markdown-or-html.ts";
import type { Reply } from "../reply.ts";
import { lastModified, markdownType, pageLinks, pageReply, textReply } from "./page-reply.ts";

/** Serves `GET /llms.txt` (Specification §4.4). */
export const llms =
  (site: Site, limit: number): Handler<HasModel> =>
  ({ model }) =>
    model.snapshot((snapshot, madeFrom) => {
      const time = snapshot.changedAt("settings", "catalogue", "policies");
      const reply = { headers: lastModified(time), publicFor: 0, madeFrom };
      return textReply(llmsTxt(snapshot, site, limit), markdownType, reply);
    });

/** Serves `GET /robots.txt` (RFC 9309). */
export const robotsText =
  (baseUrl: string): Handler<HasModel> =>
  ({ model }) =>
    model.snapshot((snapshot, madeFrom) => {
      const robots = snapshot.robots();
      const reply = { headers: lastModified(robots?.updatedAt), publicFor: 0, madeFrom };
      return textReply(robotsTxt(robots?.text, baseUrl), "text/plain; charset=utf-8", reply);
    });

/**
 * Serves `/` (Specification §4.4): the store overview as Markdown, or a small HTML page that lists the
 * surfaces.
 */
export const home = (site: Site): Handler<HasModel> => {
  const render = createHomePage(site);
  return (exchange) => {
    const accept = getHeader(exchange, "accept");
    const isMarkdown = wantsMarkdown(accept);
    if (!isMarkdown && !acceptsHtml(accept)) {
      const message = "Available types: text/html and text/markdown.";
      return errorReply(exchange, "not_acceptable", message);
    }
    return exchange.model.snapshot((snapshot, madeFrom) => ({
      madeFrom,
      ...(isMarkdown
        ? pageReply(exchange, overview(snapshot, site), { negotiated: true })
        : htmlReply(snapshot, site, render(snapshot))),
    }));
  };
};

const htmlReply = (
  snapshot: Snapshot,
  site: Site,
  { text, contentSecurityPolicy }: HtmlPage,
): Reply =>
  textReply(text, "text/html; charset=utf-8", {
    vary: "Accept",
    headers: [
      ...["Link", pageLinks(homeLocation(snapshot, site.baseUrl), true)],
      ...lastModified(snapshot.changedAt("settings", "catalogue")),
      ...["Cache-Control", "private, no-cache"],
      ...["Content-Security-Policy", contentSecurityPolicy],
      ...["Referrer-Policy", "no-referrer"],
    ],
  });
