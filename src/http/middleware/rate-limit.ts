import { clientOf } from "../connection/client-address.ts";
import type { Step } from "../context.ts";
import { refuse } from "../error-response.ts";
import { arrivalOf } from "../fast-path/carried-over.ts";
import { type Count, type Counted, windowLength } from "../rate-limit/fixed-window.ts";

export interface RateLimit {
  /** Requests a minute for each client, from 1. */
  readonly limit: number;
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: number;
  readonly count: Count;
}

/**
 * §8: so many requests a minute for each client address, above that 429. Every answer says what is left: in the three
 * headers of the older drafts, as §8 has them (Reset in seconds), and in the two of the current one.
 */
export const rateLimit = ({ limit, trustedProxies, count }: RateLimit): Step => {
  return async (ctx, next) => {
    const pending = arrivalOf(ctx.req)?.counted ?? count(clientOf(ctx.req, trustedProxies));
    const isRemote = pending instanceof Promise;
    const result = isRemote ? await pending : pending;
    // The client hung up meanwhile: there is no body left to read, and nobody to answer.
    if (isRemote && ctx.req.socket.destroyed) return;
    const headers = rateLimitHeaders(limit, result);
    for (let index = 0; index < headers.length; index += 2)
      ctx.set(headers[index] ?? "", headers[index + 1] ?? "");
    if (result.admitted) return next();
    const resetSeconds = getResetSeconds(result);
    const message = `Only ${limit} requests a minute: wait ${resetSeconds} seconds.`;
    refuse(ctx, "rate_limited", message, { retryAfter: resetSeconds });
  };
};

/** What every answer says of the limit: names and values in turn. */
export const rateLimitHeaders = (limit: number, result: Counted): readonly string[] => {
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
    `"default";q=${limit};w=${windowLength / 1000}`,
    "RateLimit",
    `"default";r=${remaining};t=${resetSeconds}`,
  ];
};

/** Seconds. */
const getResetSeconds = ({ resetIn }: Counted): number => Math.ceil(resetIn / 1000);
