import type { Context, Middleware } from "../context.ts";

/** Origins whose pages may read the responses of a route. A public surface uses no credentials, so it allows any. */
export type CorsPolicy = "any" | "none" | { readonly origins: readonly string[] };

/** Response headers that a page may read in addition to the CORS-safelisted ones. */
const exposedHeaders = [
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

const publicHeaders = "Accept, Content-Type, Idempotency-Key, If-None-Match, If-Modified-Since";
const toolHeaders =
  "Accept, Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name";
const oneDaySeconds = "86400";

/** Lets pages of the allowed origins read the responses, including errors (Fetch standard). */
export const allowOrigins = (policy: CorsPolicy): Middleware => {
  const selectOrigin = originSelector(policy);
  return (ctx, next) => {
    const origin = selectOrigin(ctx);
    if (origin !== undefined) {
      ctx.set("Access-Control-Allow-Origin", origin);
      ctx.set("Access-Control-Expose-Headers", exposedHeaders);
    }
    return next();
  };
};

const originSelector = (policy: CorsPolicy): ((ctx: Context) => string | undefined) => {
  if (policy === "any") return () => "*";
  const origins = new Set(
    policy === "none" ? [] : policy.origins.map((origin) => origin.toLowerCase()),
  );
  return (ctx) => {
    const origin = ctx.get("Origin");
    if (origins.size > 0) ctx.vary("Origin");
    return origins.has(origin.toLowerCase()) ? origin : undefined;
  };
};

/**
 * Answers the preflight of a browser, which precedes requests other than simple ones. Other origins than the allowed
 * ones get the answer to OPTIONS.
 */
export const preflight =
  (policy: CorsPolicy, methods: readonly string[]): Middleware =>
  async (ctx, next) => {
    const isPreflight =
      ctx.method === "OPTIONS" &&
      ctx.get("Origin") !== "" &&
      ctx.get("Access-Control-Request-Method") !== "" &&
      ctx.res.hasHeader("Access-Control-Allow-Origin");
    if (!isPreflight) return next();
    ctx.set("Access-Control-Allow-Methods", methods.join(", "));
    ctx.set("Access-Control-Allow-Headers", policy === "any" ? publicHeaders : toolHeaders);
    ctx.set("Access-Control-Max-Age", oneDaySeconds);
    ctx.status = 204;
  };
