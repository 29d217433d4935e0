import type { Middleware } from "../context.ts";

/** Response headers that a page may read in addition to the CORS-safelisted ones. */
export const exposedHeaders = [
  "API-Version",
  "Deprecation",
  "ETag",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "Sunset",
  "Link",
  "WWW-Authenticate",
  "Idempotency-Replayed",
  "X-Data-Age",
  "X-Markdown-Tokens",
].join(", ");

const allowedHeaders = "Accept, Content-Type, Idempotency-Key, If-None-Match, If-Modified-Since";
const oneDaySeconds = "86400";

/** Allows any origin to read a public surface, which uses no credentials. */
export const allowAnyOrigin = (): Middleware => (ctx, next) => {
  ctx.set("Access-Control-Allow-Origin", "*");
  ctx.set("Access-Control-Expose-Headers", exposedHeaders);
  return next();
};

/** Answers the preflight of a browser, which precedes requests other than simple ones. */
export const preflight =
  (methods: readonly string[]): Middleware =>
  async (ctx, next) => {
    const hasPreflightHeaders =
      ctx.get("Origin") !== "" && ctx.get("Access-Control-Request-Method") !== "";
    if (ctx.method !== "OPTIONS" || !hasPreflightHeaders) return next();
    ctx.set("Access-Control-Allow-Methods", methods.join(", "));
    ctx.set("Access-Control-Allow-Headers", allowedHeaders);
    ctx.set("Access-Control-Max-Age", oneDaySeconds);
    ctx.status = 204;
  };
