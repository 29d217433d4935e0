import { type Exchange, getHeader, type Layer } from "../exchange.ts";
import type { Reply } from "../reply.ts";

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
  "X-Position",
  "X-As-Of",
  "X-Markdown-Tokens",
].join(", ");

/** Lets pages read these headers. A shared reply has it for every client, because the next one may be a page. */
export const exposeHeaders = ["Access-Control-Expose-Headers", exposedHeaders] as const;

const publicHeaders =
  "Accept, Content-Type, Idempotency-Key, If-None-Match, If-Modified-Since, Last-Event-ID, X-Min-Position";
const toolHeaders =
  "Accept, Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, X-Min-Position";
const publicNames = new Set(publicHeaders.toLowerCase().split(", "));
const oneDaySeconds = "86400";

/** Lets pages of the allowed origins read the replies, including errors (Fetch standard). */
export const allowOrigins = (policy: CorsPolicy): Layer => {
  const selectOrigin = originSelector(policy);
  const varies = typeof policy === "object" && policy.origins.length > 0;
  return (next) => (exchange) => {
    const { headers, clientHeaders } = exchange;
    const origin = getHeader(exchange, "origin");
    const allowed = selectOrigin(origin);
    if (varies) headers.push("Vary", "Origin");
    if (allowed !== undefined) headers.push("Access-Control-Allow-Origin", allowed);
    // Browsers send Origin with every request whose reply a page may read.
    if (allowed !== undefined && origin !== "") clientHeaders.push(...exposeHeaders);
    return next(exchange);
  };
};

const originSelector = (policy: CorsPolicy): ((origin: string) => string | undefined) => {
  if (policy === "any") return () => "*";
  if (policy === "none") return () => undefined;
  const origins = new Set(policy.origins.map((origin) => origin.toLowerCase()));
  return (origin) => (origins.has(origin.toLowerCase()) ? origin : undefined);
};

/**
 * Answers the preflight of a browser, which precedes requests other than simple ones. Other origins than the allowed
 * ones get the answer to OPTIONS.
 */
export const answerPreflight = (policy: CorsPolicy, methods: readonly string[]) => {
  const selectOrigin = originSelector(policy);
  const build = (allowedHeaders: string): Reply => ({
    status: 204,
    body: null,
    headers: [
      ...["Access-Control-Allow-Methods", methods.join(", ")],
      ...["Access-Control-Allow-Headers", allowedHeaders],
      ...["Access-Control-Max-Age", oneDaySeconds],
    ],
  });
  return (exchange: Exchange): Reply | undefined => {
    if (exchange.method !== "OPTIONS") return undefined;
    const origin = getHeader(exchange, "origin");
    const isPreflight =
      origin !== "" &&
      getHeader(exchange, "access-control-request-method") !== "" &&
      selectOrigin(origin) !== undefined;
    if (!isPreflight) return undefined;
    return build(policy === "any" ? addRequestedHeaders(exchange) : toolHeaders);
  };
};

/** Adds the headers that the page is going to send. A public surface uses no credentials, so no header is a risk. */
const addRequestedHeaders = (exchange: Exchange): string => {
  const requested = getHeader(exchange, "access-control-request-headers").split(",");
  const names = requested.map((name) => name.trim().toLowerCase());
  return [publicHeaders, ...names.filter((name) => name !== "" && !publicNames.has(name))].join(
    ", ",
  );
};
