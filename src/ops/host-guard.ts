import { isIP } from "node:net";
import type Koa from "koa";
import { sendError } from "./reply.ts";

/** Header that the console sends. A page of another origin cannot add it without a preflight, which is refused. */
const consoleHeader = "Vitrine-Console";

/** Queries that read the log for seconds, or take one of few turns in the query process. */
const costlyQuery = /^\/(explain|dead-letters)(\/|$)/;

/**
 * Rejects requests from pages of other origins to the console and `/status`.
 *
 * A foreign page can send requests to this port from its visitor's browser. It could read the replies after DNS
 * rebinding, and cause load even without reading them. Therefore the console accepts only the hosts of `isOwnHost`, and no
 * request of another page. Browsers send Sec-Fetch-Site to HTTPS and loopback only, so costly queries need a header.
 * @param names hosts of the console, besides IP addresses and `localhost`
 */
export const hostGuard =
  (names: readonly string[]): Koa.Middleware =>
  (ctx, next) => {
    const host = ctx.get("Host");
    if (!isOwnHost(host, names)) {
      return sendError(
        ctx,
        421,
        "the console accepts an IP address, localhost, --ops-host and the names of --ops-names (OPS_NAMES) as Host; open it under one of these, or let the proxy send one of them",
      );
    }
    const isNavigation = ctx.path === "/" && ctx.get("Sec-Fetch-Mode") === "navigate";
    const site = ctx.get("Sec-Fetch-Site");
    if (isForeign(ctx.get("Origin"), host) || (!isNavigation && /^(cross|same)-site$/.test(site))) {
      return sendError(ctx, 403, "pages of other sites may not send requests to the console");
    }
    if (costlyQuery.test(ctx.path) && ctx.get(consoleHeader) === "") {
      return sendError(ctx, 403, `send the header ${consoleHeader}: 1, as the console does`);
    }
    return next();
  };

/** Checks that a `Host` header names this port in a way that no other party can take for its own address. */
export const isOwnHost = (host: string, names: readonly string[]): boolean => {
  const name = parseHostname(host);
  return isIP(name) !== 0 || name === "localhost" || names.includes(name);
};

/** Reads the host of a `Host` header, without port and brackets. */
const parseHostname = (host: string): string => {
  const [, address, name] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? [];
  return (address ?? name ?? "").toLowerCase().replace(/\.$/, "");
};

/** Compares the `Origin` header with the host. Browsers send none for the console's own requests. */
const isForeign = (origin: string, host: string): boolean =>
  origin !== "" && origin.replace(/^https?:\/\//, "").toLowerCase() !== host.toLowerCase();
