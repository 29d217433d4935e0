import { createHash } from "node:crypto";
import type { Context, Middleware } from "../context.ts";
import { sendError } from "../error-response.ts";
import { addEncodingSuffix, getEtag, negotiateEncoding } from "./compression.ts";

/** Computes a strong validator: equal ETags mean equal bytes. */
export const strongEtag = (bytes: Uint8Array): string =>
  `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;

/**
 * Answers 304 without body when the client already has the response. Later middleware sets ETag and
 * Last-Modified. It replaces `ctx.fresh`, which obeys `Cache-Control: no-cache`: clients send that with
 * If-None-Match, and it addresses caches on the way.
 */
export const conditional = (): Middleware => async (ctx, next) => {
  await next();
  if (ctx.status !== 200 || (ctx.method !== "GET" && ctx.method !== "HEAD")) return;
  const encoding = negotiateEncoding(ctx);
  if (encoding) addEncodingSuffix(ctx, encoding);
  if (!preconditionsHold(ctx)) return sendError(ctx, "precondition_failed", conditionFailed);
  if (!isNotModified(ctx)) return;
  ctx.status = 304;
  ctx.body = null;
};

const conditionFailed = "The current version does not meet If-Match or If-Unmodified-Since.";

/**
 * Evaluates If-Match with the strong comparison, and If-Unmodified-Since only without If-Match (RFC 9110
 * §13.1.1, §13.1.4).
 */
const preconditionsHold = (ctx: Context): boolean => {
  const tags = ctx.get("If-Match");
  if (tags !== "") return tags.trim() === "*" || parseTags(tags).includes(getEtag(ctx));
  const [unmodifiedSince, modified] = [ctx.get("If-Unmodified-Since"), getLastModified(ctx)];
  return !(Date.parse(modified) > Date.parse(unmodifiedSince));
};

const parseTags = (list: string): readonly string[] =>
  list
    .split(",")
    .map((tag) => tag.trim())
    .filter(Boolean);

/**
 * Compares ETags only (RFC 9110 §8.8.2.2). `If-Modified-Since` is ignored, because two events in one second, or
 * a late one, change the response and not its date.
 */
const isNotModified = (ctx: Context): boolean =>
  matchesWeakly(ctx.get("If-None-Match"), getEtag(ctx));

const getLastModified = (ctx: Context): string => String(ctx.res.getHeader("Last-Modified") ?? "");

/** Compares weakly (RFC 9110 §8.8.3.2): a `W/` prefix of either ETag is ignored. */
const matchesWeakly = (ifNoneMatch: string, etag: string): boolean =>
  etag !== "" &&
  (ifNoneMatch.trim() === "*" ||
    parseTags(ifNoneMatch).some((tag) => tag.replace(/^W\//, "") === etag));
