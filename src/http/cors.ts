import type { Step } from "./context.ts";

/** Response headers a page may read besides the few it always may. */
const exposed = [
  "API-Version",
  "Deprecation",
  "ETag",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
].join(", ");

const allowedHeaders = "Accept, Content-Type, If-None-Match";
const oneDay = "86400";

/** Lets any page read a public surface, and answers the preflight that asks so. No credentials are involved. */
export const cors =
  (methods: readonly string[]): Step =>
  async (ctx, next) => {
    ctx.set("Access-Control-Allow-Origin", "*");
    ctx.set("Access-Control-Expose-Headers", exposed);
    if (
      !ctx.get("Origin") ||
      !ctx.get("Access-Control-Request-Method") ||
      ctx.method !== "OPTIONS"
    ) {
      return next();
    }
    ctx.set("Access-Control-Allow-Methods", methods.join(", "));
    ctx.set("Access-Control-Allow-Headers", allowedHeaders);
    ctx.set("Access-Control-Max-Age", oneDay);
    ctx.status = 204;
  };
