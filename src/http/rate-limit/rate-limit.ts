import { pluralize } from "../../surfaces/format.ts";
import { errorReply } from "../error-reply.ts";
import { after, type Layer } from "../exchange.ts";
import { noReply } from "../reply.ts";

export interface RateLimitResult {
  readonly admitted: boolean;
  /** Requests the client has left in its window. */
  readonly remaining: number;
  /** Milliseconds until the window ends; above 0. */
  readonly resetMs: number;
}

/** Counts one request of a client. */
export type Counter = (client: string) => RateLimitResult | Promise<RateLimitResult>;

/** Length of a window: limits are requests per minute (Specification §8). */
export const windowMs = 60_000;

/** Maximum number of windows below the limit, about 20 MB. */
const maxOpenWindows = 100_000;

interface Window {
  used: number;
  readonly endsAt: number;
}

/**
 * Creates an exact counter with fixed windows that start at a client's first request. A window that is used
 * up is kept until it ends: each costs `limit` requests a minute, so they stay few. Of the other windows, the
 * oldest are dropped over `maxOpen`.
 * @param limit requests per client and window, at least 1
 * @param now monotonic clock in milliseconds
 */
export const createFixedWindow = (limit: number, now: () => number, maxOpen = maxOpenWindows) => {
  // All windows have the same length, so insertion sequence is the sequence in which they end.
  const open = new Map<string, Window>();
  const exhausted = new Map<string, Window>();
  const startWindow = (client: string, time: number): Window => {
    dropEnded(open, time);
    dropEnded(exhausted, time);
    if (open.size >= maxOpen) dropFirst(open);
    const window = { used: 0, endsAt: time + windowMs };
    exhausted.delete(client);
    open.delete(client);
    open.set(client, window);
    return window;
  };
  return (client: string): RateLimitResult => {
    const time = now();
    const current = exhausted.get(client) ?? open.get(client);
    const window = current && current.endsAt > time ? current : startWindow(client, time);
    // The sum that gave `endsAt` may have been rounded up.
    const resetMs = Math.min(windowMs, window.endsAt - time);
    if (window.used >= limit) return { admitted: false, remaining: 0, resetMs };
    window.used += 1;
    if (window.used === limit) {
      open.delete(client);
      exhausted.set(client, window);
    }
    return { admitted: true, remaining: limit - window.used, resetMs };
  };
};

const dropEnded = (windows: Map<string, Window>, time: number): void => {
  for (const [client, { endsAt }] of windows) {
    if (endsAt > time) return;
    windows.delete(client);
  }
};

const dropFirst = (windows: Map<string, Window>): void => {
  for (const client of windows.keys()) {
    windows.delete(client);
    return;
  }
};

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
