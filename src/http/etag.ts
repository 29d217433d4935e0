import { createHash } from "node:crypto";
import { encodingOf, etagOf, setVariantEtag } from "./compress.ts";
import type { Context, Step } from "./context.ts";

/** A strong validator: the same tag means the same bytes. */
export const strongEtag = (bytes: Uint8Array): string =>
  `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;

/**
 * Answers 304 without a body when the client already holds what the steps after this one would send. They leave the
 * ETag in its header and, where an event tells it, the time of the last change in `state.lastModified`.
 * Not `ctx.fresh`: it heeds `Cache-Control: no-cache`, which clients send beside If-None-Match and
 * which speaks to caches on the way.
 */
export const conditional = (): Step => async (ctx, next) => {
  await next();
  if (ctx.status !== 200 || (ctx.method !== "GET" && ctx.method !== "HEAD")) return;
  const { lastModified } = ctx.state;
  if (lastModified && !ctx.res.hasHeader("Last-Modified")) {
    ctx.set("Last-Modified", lastModified.toUTCString());
  }
  const encoding = encodingOf(ctx);
  if (encoding) setVariantEtag(ctx, encoding);
  if (!isHeld(ctx, lastModified)) return;
  ctx.status = 304;
  ctx.body = null;
};

/** RFC 9110, 13.2.2: a tag is exact, so the date counts only where no tag was sent. */
const isHeld = (ctx: Context, lastModified: Date | undefined): boolean => {
  const tags = ctx.get("If-None-Match");
  if (tags !== "") return isTagHeld(tags, etagOf(ctx));
  const since = Date.parse(ctx.get("If-Modified-Since"));
  // HTTP dates know no fractions of a second.
  return lastModified !== undefined && Math.floor(lastModified.getTime() / 1000) * 1000 <= since;
};

/** The weak comparison of RFC 9110: a `W/` before either tag does not count. */
const isTagHeld = (held: string, etag: string): boolean =>
  etag !== "" &&
  (held.trim() === "*" || held.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag));
