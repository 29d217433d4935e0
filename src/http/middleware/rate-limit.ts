import { clientAddress } from "../connection/client-address.ts";
import type { Middleware } from "../context.ts";
import { sendError } from "../error-response.ts";
import { getCarriedOver } from "../fast-path/carried-over.ts";
import { type Counter, type RateLimitResult, windowMs } from "../rate-limit/fixed-window.ts";

export interface RateLimit {
  /** Requests per minute and client, at least 1. */
  readonly limit: number;
  /** Number of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: number;
  readonly count: Counter;
}

/**
 * Limits the requests per minute of each client address, and answers 429 above the limit (Specification §8).
 * Every response carries the three headers of the older drafts, as §8 requires (Reset in seconds), and the two
 * of the current draft.
 */
export const rateLimit = ({ limit, trustedProxies, count }: RateLimit): Middleware => {
  return async (ctx, next) => {
    const pending =
      getCarriedOver(ctx.req)?.rateLimitResult ?? count(clientAddress(ctx.req, trustedProxies));
    const isRemote = pending instanceof Promise;
    const result = isRemote ? await pending : pending;
    // The client disconnected meanwhile, so the body can no longer be read.
    if (isRemote && ctx.req.socket.destroyed) return;
    const headers = rateLimitHeaders(limit, result);
    for (let index = 0; index < headers.length; index += 2)
      ctx.set(headers[index] ?? "", headers[index + 1] ?? "");
    if (result.admitted) return next();
    const resetSeconds = getResetSeconds(result);
    const message = `The limit is ${limit} requests per minute: wait ${resetSeconds} seconds.`;
    sendError(ctx, "rate_limited", message, { retryAfter: resetSeconds });
  };
};

/** Formats the rate limit headers of every response. It alternates names and values. */
export const rateLimitHeaders = (limit: number, result: RateLimitResult): readonly string[] => {
  const { remaining } = result;
  const resetSeconds = getResetSeconds(result);
  return [
    "RateLimit-Limit",
    String(limit),
    "RateLimit-Remaining",
    String(remaining),
    "RateLimit-Reset",
    String(resetSeconds),
    "RateLimit-Policy",
    `"default";q=${limit};w=${windowMs / 1000}`,
    "RateLimit",
    `"default";r=${remaining};t=${resetSeconds}`,
  ];
};

const getResetSeconds = ({ resetMs }: RateLimitResult): number => Math.ceil(resetMs / 1000);
