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
    const counting = arrivalOf(ctx.req)?.counted ?? count(clientOf(ctx.req, trustedProxies));
    const isElsewhere = counting instanceof Promise;
    const counted = isElsewhere ? await counting : counting;
    // The client hung up meanwhile: there is no body left to read, and nobody to answer.
    if (isElsewhere && ctx.req.socket.destroyed) return;
    const headers = rateLimitHeaders(limit, counted);
    for (let at = 0; at < headers.length; at += 2)
      ctx.set(headers[at] ?? "", headers[at + 1] ?? "");
    if (counted.admitted) return next();
    const reset = resetOf(counted);
    const message = `Only ${limit} requests a minute: wait ${reset} seconds.`;
    refuse(ctx, "rate_limited", message, { retryAfter: reset });
  };
};

/** What every answer says of the limit: names and values in turn. */
export const rateLimitHeaders = (limit: number, counted: Counted): readonly string[] => {
  const { remaining } = counted;
  const reset = resetOf(counted);
  return [
    "RateLimit-Limit",
    String(limit),
    "RateLimit-Remaining",
    String(remaining),
    "RateLimit-Reset",
    String(reset),
    "RateLimit-Policy",
    `"default";q=${limit};w=${windowLength / 1000}`,
    "RateLimit",
    `"default";r=${remaining};t=${reset}`,
  ];
};

/** Seconds. */
const resetOf = ({ resetIn }: Counted): number => Math.ceil(resetIn / 1000);
