import type { Step } from "../context.ts";
import { refuse } from "../error-response.ts";

/** What is told of a route whose version is retired (§9 rule 4). */
export interface Retired {
  /** Since when, or from when on, it should no longer be used. */
  readonly deprecated: Date;
  /** When it ends, at least 180 days after `deprecated`. */
  readonly sunset: Date;
  /** Address of the page that explains it. */
  readonly policy: string;
  /** Address of what to use instead. */
  readonly successor?: string;
}

const dayMs = 86_400_000;
const minNoticeDays = 180;

/**
 * Tells of a retirement on every answer, by Deprecation (RFC 9745), Sunset (RFC 8594) and links. From the sunset on
 * the route is switched off: 404 `not_found`, as §7.2 has it, with the same headers, so that a client learns why.
 * @param now a clock in milliseconds since 1970
 * @throws Error when there are fewer than 180 days between the two dates
 */
export const sunset = (
  { deprecated, sunset, policy, successor }: Retired,
  now = Date.now,
): Step => {
  if (!(sunset.getTime() - deprecated.getTime() >= minNoticeDays * dayMs)) {
    throw new Error(`a sunset comes at least ${minNoticeDays} days after the deprecation`);
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
    refuse(ctx, "not_found", `This version ended on ${sunset.toUTCString()}.${instead}`);
  };
};
