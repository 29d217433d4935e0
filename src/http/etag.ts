import { createHash } from "node:crypto";
import type { Step } from "./context.ts";

/** A strong validator: the same tag means the same bytes. */
export const strongEtag = (bytes: Uint8Array): string =>
  `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;

/**
 * Answers 304 without a body when the client already holds what the steps after this one would send.
 * Not `ctx.fresh`: it heeds `Cache-Control: no-cache`, which clients send beside If-None-Match and
 * which speaks to caches on the way.
 */
export const conditional = (): Step => async (ctx, next) => {
  await next();
  const etag = ctx.response.get("ETag");
  if (ctx.status !== 200 || !etag || !isHeld(ctx.get("If-None-Match"), etag)) return;
  ctx.status = 304;
  ctx.body = null;
};

/** The weak comparison of RFC 9110: a `W/` before either tag does not count. */
const isHeld = (held: string, etag: string): boolean =>
  held.trim() === "*" || held.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
