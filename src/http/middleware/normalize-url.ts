import type { Context, Middleware } from "../context.ts";
import { sendError } from "../error-response.ts";

/**
 * Normalizes a request target to path and query without dot segments, also one in absolute form, with any
 * scheme (RFC 9112 §3.2.2). Routes, robots.txt and pages all use this form, because a difference between them
 * could be used to bypass one of them.
 * @param target from the request line, or already normalized
 * @returns undefined when it is not a valid URL
 */
export const normalizeTarget = (target: string): string | undefined => {
  const url = target.startsWith("/") ? `http://x${target}` : target.replace(/^[a-z]+:/i, "http:");
  if (!URL.canParse(url)) return undefined;
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/**
 * Replaces the URL of the request by its normal form.
 * @param limiter rate limit, which must precede every response
 */
export const normalizeUrl =
  (limiter: Middleware): Middleware =>
  (ctx, next) => {
    if (ctx.url === "*") return limiter(ctx, async () => answerOptionsAsterisk(ctx));
    const target = normalizeTarget(ctx.url);
    if (target === undefined) {
      const malformed = "The URL of the request is malformed.";
      return limiter(ctx, async () => sendError(ctx, "bad_request", malformed));
    }
    ctx.url = target;
    return next();
  };

/** Answers OPTIONS for the server itself (RFC 9110 §9.3.7). */
const answerOptionsAsterisk = (ctx: Context): void => {
  if (ctx.method !== "OPTIONS") {
    sendError(ctx, "bad_request", "Only OPTIONS may request *.");
    return;
  }
  ctx.set("Allow", "GET, HEAD, POST, OPTIONS");
  ctx.status = 204;
};

const escapes = /%[0-9a-f]{2}/gi;

/** Writes percent-encoded octets in upper case. */
export const uppercaseEscapes = (text: string): string =>
  text.replace(escapes, (hex) => hex.toUpperCase());

/** Decodes unreserved characters, and writes other percent-encoded octets in upper case (RFC 3986 §6.2.2). */
export const decodeUnreserved = (text: string): string =>
  uppercaseEscapes(text).replace(
    /%(?:2D|2E|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/g,
    decodeURIComponent,
  );
