import { isIP } from "node:net";
import type Koa from "koa";
import { sendError } from "./error-response.ts";

/**
 * Rejects requests from pages of other origins to the console and `/status`.
 *
 * A foreign page can send requests to this port from its visitor's browser. It could read the replies after DNS
 * rebinding, and cause load even without reading them. Therefore the console accepts only IP addresses, names that
 * cannot be registered and the port's own host, and no request that the browser marks as cross-site. Probes and
 * scrapers (`/healthz`, `/readyz`, `/metrics`) may use any name, because they reveal only numbers and readiness.
 * @param ownHost the host that the port listens on, which may be a name
 */
export const hostGuard =
  (ownHost: string): Koa.Middleware =>
  (ctx, next) => {
    if (!isAllowedHost(parseHostname(ctx.get("Host")), ownHost)) {
      return sendError(
        ctx,
        421,
        "the console accepts an IP address, localhost and names of private networks as Host; open it under one of these, or let the proxy send one of them",
      );
    }
    const isNavigation = ctx.path === "/" && ctx.get("Sec-Fetch-Mode") === "navigate";
    const site = ctx.get("Sec-Fetch-Site");
    if (!isNavigation && (site === "cross-site" || site === "same-site")) {
      return sendError(ctx, 403, "pages of other sites may not send requests to the console");
    }
    return next();
  };

/** Reads the host of a `Host` header, without port and brackets. */
const parseHostname = (host: string): string => {
  const [, address, name] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? [];
  return (address ?? name ?? "").toLowerCase().replace(/\.$/, "");
};

/** Reserved top-level names: an attacker cannot register a name below them. */
const reservedName = /\.(localhost|local|internal|test|home\.arpa)$/;

const isAllowedHost = (name: string, ownHost: string): boolean => {
  if (name === "") return false;
  const isSingleLabel = !name.includes(".");
  return (
    isIP(name) !== 0 || isSingleLabel || reservedName.test(name) || name === ownHost.toLowerCase()
  );
};
