import type { Middleware } from "../context.ts";
import { sendError } from "../error-response.ts";

/** Deprecation of a route's version (Specification §9 rule 4). */
export interface Deprecation {
  /** Date from which it should no longer be used; may be in the future. */
  readonly deprecated: Date;
  /** Date of its end, at least 180 days after `deprecated`. */
  readonly sunset: Date;
  /** URL of the page that explains it. */
  readonly policy: string;
  /** URL of the replacement. */
  readonly successor?: string;
}

const dayMs = 86_400_000;
const minNoticeDays = 180;

/**
 * Announces a deprecation on every response, with Deprecation (RFC 9745), Sunset (RFC 8594) and links. From the
 * sunset on, the route answers 404 `not_found` (Specification §7.2) with the same headers, so that clients
 * learn the reason.
 * @param now clock in milliseconds since 1970
 * @throws Error when there are fewer than 180 days between the two dates
 */
export const sunset = (
  { deprecated, sunset, policy, successor }: Deprecation,
  now = Date.now,
): Middleware => {
  if (!(sunset.getTime() - deprecated.getTime() >= minNoticeDays * dayMs)) {
    throw new Error(`the sunset must be at least ${minNoticeDays} days after the deprecation`);
  }
  const links = [
    `<${policy}>; rel="deprecation"; type="text/markdown"`,
    `<${policy}>; rel="sunset"; type="text/markdown"`,
    ...(successor ? [`<${successor}>; rel="successor-version"`] : []),
  ];
  const since = `@${Math.floor(deprecated.getTime() / 1000)}`;
  return async (ctx, next) => {
    ctx.set("Deprecation", since);
    ctx.set("Sunset", sunset.toUTCString());
    ctx.append("Link", links);
    if (now() < sunset.getTime()) return next();
    const instead = successor ? ` Use ${successor} instead.` : "";
    sendError(ctx, "not_found", `This version ended on ${sunset.toUTCString()}.${instead}`);
  };
};
