import type { HtmlPage } from "../../surfaces/text/html-page.ts";
import { type Exchange, getHeader } from "../exchange.ts";
import { prefersHtml } from "../negotiation/markdown-or-html.ts";
import { encodeText, type Reply } from "../reply.ts";

/** Shows a refusal as an HTML page where a person meets it in a browser. Its status and its other headers stay. */
export const withNotice = (exchange: Exchange, reply: Reply, page: () => HtmlPage): Reply => {
  if (!prefersHtml(getHeader(exchange, "accept"))) return reply;
  const { text, contentSecurityPolicy } = page();
  return {
    ...reply,
    type: "text/html; charset=utf-8",
    body: encodeText(text),
    headers: [
      ...(reply.headers ?? []),
      ...["Content-Security-Policy", contentSecurityPolicy],
      ...["Referrer-Policy", "no-referrer"],
    ],
  };
};
