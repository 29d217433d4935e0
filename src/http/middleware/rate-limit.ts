import { pluralize } from "../../surfaces/format.ts";
import { errorReply } from "../error-reply.ts";
import { after, type Layer } from "../pipeline.ts";
import { type Counter, type RateLimitResult, windowMs } from "../rate-limit/fixed-window.ts";
import { noReply } from "../reply.ts";

export interface RateLimit {
  /** Requests per minute and client, at least 1. */
  readonly limit: number;
  readonly trustedProxies: number;
  readonly count: Counter;
}

/**
 * Limits the requests per minute of each client address, and answers 429 above the limit (Specification §8).
 * Every reply carries the three headers of the older drafts, as §8 requires (Reset in seconds), and the two of the
 * current draft.
 */
export const rateLimit = ({ limit, count }: Pick<RateLimit, "limit" | "count">): Layer => {
  const addHeaders = rateLimitHeaders(limit);
  return (next) => (exchange) => {
    const { request, client, clientHeaders } = exchange;
    return after(count(client), (result) => {
      // The client disconnected while another process counted, so the body can no longer be read.
      if (request.socket.destroyed) return noReply;
      addHeaders(clientHeaders, result);
      if (result.admitted) return next(exchange);
      const retryAfter = getResetSeconds(result);
      const message = `The limit is ${pluralize(limit, "request")} per minute: wait ${pluralize(retryAfter, "second")}.`;
      return errorReply(exchange, "rate_limited", message, { retryAfter });
    });
  };
};

const rateLimitHeaders = (limit: number) => {
  const [max, policy] = [String(limit), `"default";q=${limit};w=${windowMs / 1000}`];
  return (headers: string[], result: RateLimitResult): void => {
    const remaining = String(result.remaining);
    const reset = String(getResetSeconds(result));
    headers.push("RateLimit-Limit", max, "RateLimit-Remaining", remaining);
    headers.push("RateLimit-Reset", reset, "RateLimit-Policy", policy);
    headers.push("RateLimit", `"default";r=${remaining};t=${reset}`);
  };
};

const getResetSeconds = ({ resetMs }: RateLimitResult): number => Math.ceil(resetMs / 1000);
