import type { Context } from "./context.ts";
import { negotiateType } from "./negotiation/accept.ts";

/** Maps the stable error codes to status codes (Specification §7.2). */
const statusByCode = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof statusByCode;

export interface ErrorDetails {
  /** Seconds; also sent as `Retry-After`. */
  readonly retryAfter?: number;
  /** URL of the protected resource metadata. */
  readonly resourceMetadata?: string;
}

/**
 * Sends an error as JSON with `error.code`, or as one line of text to clients that do not accept JSON
 * (Specification §7.2).
 */
export const sendError = (
  ctx: Context,
  code: ErrorCode,
  message: string,
  { retryAfter, resourceMetadata }: ErrorDetails = {},
): void => {
  ctx.status = statusByCode[code];
  for (const header of representationHeaders) ctx.remove(header);
  ctx.set("Cache-Control", "no-store");
  ctx.vary("Accept");
  if (retryAfter !== undefined) ctx.set("Retry-After", String(retryAfter));
  if (!acceptsJson(ctx)) {
    ctx.type = "text/plain";
    ctx.body = `${code}: ${message}\n`;
    return;
  }
  ctx.type = "application/json";
  ctx.body = JSON.stringify({
    error: { code, message, retry_after: retryAfter, resource_metadata: resourceMetadata },
  });
};

/** Headers that described the replaced body. */
const representationHeaders = ["ETag", "Last-Modified", "Content-Encoding"];

const acceptsJson = (ctx: Context): boolean => {
  const best = negotiateType(ctx, [...jsonTypes, "text/plain"]);
  return best !== undefined && best !== "text/plain";
};

const jsonTypes = [
  "application/json",
  "application/graphql-response+json",
  "application/problem+json",
];
