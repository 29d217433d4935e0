import { clientOf } from "./client.ts";
import type { Step } from "./context.ts";
import { type Count, windowLength } from "./rate-limit-count.ts";
import { refuse } from "./refuse.ts";

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
  const policy = `"default";q=${limit};w=${windowLength / 1000}`;
  const shownLimit = String(limit);
  return async (ctx, next) => {
    const counting = count(clientOf(ctx, trustedProxies));
    const isElsewhere = counting instanceof Promise;
    const { admitted, remaining, resetIn } = isElsewhere ? await counting : counting;
    // The client hung up meanwhile: there is no body left to read, and nobody to answer.
    if (isElsewhere && ctx.req.socket.destroyed) return;
    const reset = Math.ceil(resetIn / 1000);
    ctx.set("RateLimit-Limit", shownLimit);
    ctx.set("RateLimit-Remaining", String(remaining));
    ctx.set("RateLimit-Reset", String(reset));
    ctx.set("RateLimit-Policy", policy);
    ctx.set("RateLimit", `"default";r=${remaining};t=${reset}`);
    if (admitted) return next();
    const message = `Only ${limit} requests a minute: wait ${reset} seconds.`;
    refuse(ctx, "rate_limited", message, { retryAfter: reset });
  };
};
