import type { Middleware } from "../context.ts";
import { negotiateType } from "../negotiation/accept.ts";

/** Serves a page to browsers, which prefer `text/html` in a GET. Other requests pass to the next middleware. */
export const browserPage =
  (html: Buffer, contentSecurityPolicy: string): Middleware =>
  async (ctx, next) => {
    const isRead = ctx.method === "GET" || ctx.method === "HEAD";
    ctx.vary("Accept");
    if (!isRead || negotiateType(ctx, ["application/json", "text/html"]) !== "text/html")
      return next();
    ctx.set("Content-Security-Policy", contentSecurityPolicy);
    ctx.set("X-Content-Type-Options", "nosniff");
    ctx.set("Cache-Control", "private, no-cache");
    ctx.type = "text/html; charset=utf-8";
    ctx.body = html;
  };
