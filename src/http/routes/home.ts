import { renderHomePage } from "../../surfaces/text/home-page.ts";
import { homeLocation, overview } from "../../surfaces/text/overview.ts";
import type { Context, Middleware } from "../context.ts";
import { sendError } from "../error-response.ts";
import { acceptsHtml, wantsMarkdown } from "../negotiation/markdown-or-html.ts";
import { pageLinks, sendPage, sendText, setLastModified } from "./send-page.ts";

/**
 * Serves `/` (Specification §4.4): the store overview as Markdown, or a small HTML page that lists the
 * surfaces.
 */
export const home =
  (baseUrl: string): Middleware =>
  (ctx) => {
    const accept = ctx.get("Accept");
    const markdown = wantsMarkdown(accept);
    if (!markdown && !acceptsHtml(accept)) {
      return sendError(ctx, "not_acceptable", "Available types: text/html and text/markdown.");
    }
    ctx.state.reader.snapshot((snapshot) => {
      if (markdown) return sendPage(ctx, overview(snapshot, baseUrl), { negotiated: true });
      ctx.append("Link", pageLinks(homeLocation(snapshot, baseUrl), true));
      setLastModified(ctx, snapshot.changedAt("settings", "catalogue"));
      sendHtml(ctx, renderHomePage(snapshot, baseUrl));
    });
  };

const sendHtml = (
  ctx: Context,
  { text, contentSecurityPolicy }: ReturnType<typeof renderHomePage>,
): void => {
  ctx.vary("Accept");
  ctx.set("Cache-Control", "private, no-cache");
  ctx.set("Content-Security-Policy", contentSecurityPolicy);
  ctx.set("Referrer-Policy", "no-referrer");
  sendText(ctx, text, "text/html; charset=utf-8");
};
