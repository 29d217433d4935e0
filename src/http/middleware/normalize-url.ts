import type { Context, Step } from "../context.ts";
import { refuse } from "../error-response.ts";

/**
 * Path and query of what a request asks for, without dot segments; of an absolute address too, whatever its scheme
 * (RFC 9112, 3.2.2). Routes, robots.txt and pages all go by it: whoever read it otherwise could be led past another.
 * @param target as the request line has it, or as this made it
 * @returns undefined where it cannot be read
 */
export const targetOf = (target: string): string | undefined => {
  const url = target.startsWith("/") ? `http://x${target}` : target.replace(/^[a-z]+:/i, "http:");
  if (!URL.canParse(url)) return undefined;
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/**
 * What comes after finds as the request's address what `targetOf` makes of it.
 * @param count the rate limit, which comes before any refusal
 */
export const readTarget =
  (limiter: Step): Step =>
  (ctx, next) => {
    if (ctx.url === "*") return limiter(ctx, async () => answerOptionsAsterisk(ctx));
    const target = targetOf(ctx.url);
    if (target === undefined) {
      const malformed = "The address of the request is malformed.";
      return limiter(ctx, async () => refuse(ctx, "bad_request", malformed));
    }
    ctx.url = target;
    return next();
  };

/** Of no address, but of the service itself (RFC 9110, 9.3.7). */
const answerOptionsAsterisk = (ctx: Context): void => {
  if (ctx.method !== "OPTIONS") return refuse(ctx, "bad_request", "Only OPTIONS is asked of *.");
  ctx.set("Allow", "GET, HEAD, POST, OPTIONS");
  ctx.status = 204;
};

const escapes = /%[0-9a-f]{2}/gi;

/** Percent-encoding with capitals. */
export const upper = (text: string): string => text.replace(escapes, (hex) => hex.toUpperCase());

/** Characters that need no encoding, decoded; the others' encoding with capitals (RFC 3986, 6.2.2). */
export const plain = (text: string): string =>
  upper(text).replace(
    /%(?:2D|2E|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/g,
    decodeURIComponent,
  );
