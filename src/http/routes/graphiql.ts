import type { Step } from "../context.ts";
import { acceptedOf } from "../negotiation/accept.ts";

/**
 * Shows a page to a person: GET with `text/html` preferred, as browsers ask. Everyone else goes on to the next step.
 */
export const browserPage =
  (html: Buffer, contentSecurityPolicy: string): Step =>
  async (ctx, next) => {
    const isRead = ctx.method === "GET" || ctx.method === "HEAD";
    ctx.vary("Accept");
    if (!isRead || acceptedOf(ctx, ["application/json", "text/html"]) !== "text/html")
      return next();
    ctx.set("Content-Security-Policy", contentSecurityPolicy);
    ctx.set("X-Content-Type-Options", "nosniff");
    ctx.set("Cache-Control", "private, no-cache");
    ctx.type = "text/html; charset=utf-8";
    ctx.body = html;
  };
