import { createHash } from "node:crypto";
import type { Context, Step } from "../context.ts";
import { refuse } from "../error-response.ts";
import { encodingOf, etagOf, setVariantEtag } from "./compression.ts";

/** A strong validator: the same tag means the same bytes. */
export const strongEtag = (bytes: Uint8Array): string =>
  `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;

/**
 * Answers 304 without a body when the client already holds what the steps after this one would send. They leave
 * ETag and Last-Modified in their headers.
 * Not `ctx.fresh`: it heeds `Cache-Control: no-cache`, which clients send beside If-None-Match and
 * which speaks to caches on the way.
 */
export const conditional = (): Step => async (ctx, next) => {
  await next();
  if (ctx.status !== 200 || (ctx.method !== "GET" && ctx.method !== "HEAD")) return;
  const encoding = encodingOf(ctx);
  if (encoding) setVariantEtag(ctx, encoding);
  if (!preconditionsHold(ctx)) return refuse(ctx, "precondition_failed", conditionFailed);
  if (!isNotModified(ctx)) return;
  ctx.status = 304;
  ctx.body = null;
};

const conditionFailed = "What is here now is not what If-Match or If-Unmodified-Since asks for.";

/** RFC 9110, 13.1.1 and 13.1.4: the strong comparison, and a date only where no tag was sent. */
const preconditionsHold = (ctx: Context): boolean => {
  const tags = ctx.get("If-Match");
  if (tags !== "") return tags.trim() === "*" || parseTags(tags).includes(etagOf(ctx));
  const [unmodifiedSince, modified] = [ctx.get("If-Unmodified-Since"), getLastModified(ctx)];
  return !(Date.parse(modified) > Date.parse(unmodifiedSince));
};

const parseTags = (list: string): readonly string[] =>
  list
    .split(",")
    .map((tag) => tag.trim())
    .filter(Boolean);

/**
 * By its tag only (RFC 9110, 8.8.2.2): two events of one second, or one that came late, change what is sent and leave
 * its date, so `If-Modified-Since` cannot tell what is held.
 */
const isNotModified = (ctx: Context): boolean =>
  matchesWeakly(ctx.get("If-None-Match"), etagOf(ctx));

const getLastModified = (ctx: Context): string => String(ctx.res.getHeader("Last-Modified") ?? "");

/** The weak comparison of RFC 9110: a `W/` before either tag does not count. */
const matchesWeakly = (ifNoneMatch: string, etag: string): boolean =>
  etag !== "" &&
  (ifNoneMatch.trim() === "*" ||
    parseTags(ifNoneMatch).some((tag) => tag.replace(/^W\//, "") === etag));
