import { type Exchange, getHeader } from "../exchange.ts";
import { typeNegotiator } from "../negotiation/accept.ts";
import type { Layer } from "../pipeline.ts";
import type { Reply } from "../reply.ts";
import { createForms } from "../representation/compression.ts";

/** Serves a page to browsers, which prefer `text/html` in a GET. Other requests pass to the handler. */
export const browserPage = (
  html: Buffer,
  contentSecurityPolicy: string,
  compress: Layer,
): Layer => {
  const page: Reply = {
    status: 200,
    body: html,
    forms: createForms(),
    isShared: true,
    type: "text/html; charset=utf-8",
    vary: "Accept",
    headers: [
      ...["Content-Security-Policy", contentSecurityPolicy],
      ...["Referrer-Policy", "no-referrer"],
      ...["Cache-Control", "private, no-cache"],
    ],
  };
  const servePage = compress(() => page);
  return (next) => (exchange) => (isBrowserRead(exchange) ? servePage(exchange) : next(exchange));
};

const isBrowserRead = (exchange: Exchange): boolean =>
  (exchange.method === "GET" || exchange.method === "HEAD") &&
  negotiatePage(getHeader(exchange, "accept")) === "text/html";

const negotiatePage = typeNegotiator(["application/json", "text/html"]);
