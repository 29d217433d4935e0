import { apiVersion } from "../../surfaces/shop-info.ts";
import { notFound } from "../error-reply.ts";
import { check, type Layer } from "../exchange.ts";

/** Deprecation of a route's version (Specification §9 rule 4). */
export interface Deprecation {
  /** Date from which it should no longer be used; may be in the future. */
  readonly deprecated: Date;
  /** Date of its end, at least 180 days after `deprecated`. */
  readonly sunset: Date;
  /** URL of the page that explains it. */
  readonly policy: string;
  readonly successor?: string;
}

const dayMs = 86_400_000;
const minNoticeDays = 180;

/**
 * Lists the headers that every reply carries, including errors: those of the API's version (Specification §9 rule 1), with
 * Deprecation (RFC 9745), Sunset (RFC 8594) and links when the version is deprecated.
 */
export const commonHeaders = (deprecation: Deprecation | undefined): readonly string[] => {
  // RFC 9745 does not define `false`; Specification §9 rule 1 requires it.
  if (!deprecation) return ["API-Version", apiVersion, "Deprecation", "false", ...noSniff];
  const { deprecated, sunset, policy, successor } = deprecation;
  const links = [
    `<${policy}>; rel="deprecation"; type="text/markdown"`,
    `<${policy}>; rel="sunset"; type="text/markdown"`,
    ...(successor ? [`<${successor}>; rel="successor-version"`] : []),
  ];
  const since = `@${Math.floor(deprecated.getTime() / 1000)}`;
  return [
    ...["API-Version", apiVersion, "Deprecation", since, "Sunset", sunset.toUTCString()],
    ...["Link", links.join(", ")],
    ...noSniff,
  ];
};

/** Keeps browsers from reading text of the merchant as another type. */
const noSniff = ["X-Content-Type-Options", "nosniff"];

/**
 * Answers 404 `not_found` from the sunset on (Specification §7.2), with the same headers, so that clients learn the
 * reason.
 * @param now clock in milliseconds since 1970
 * @throws Error when there are fewer than 180 days between the two dates
 */
export const endAtSunset = (
  { deprecated, sunset, successor }: Deprecation,
  now = Date.now,
): Layer => {
  if (!(sunset.getTime() - deprecated.getTime() >= minNoticeDays * dayMs)) {
    throw new Error(`the sunset must be at least ${minNoticeDays} days after the deprecation`);
  }
  const instead = successor ? ` Use ${successor} instead.` : "";
  return check((exchange) => {
    if (now() < sunset.getTime()) return undefined;
    return notFound(exchange, `This version ended on ${sunset.toUTCString()}.${instead}`);
  });
};
