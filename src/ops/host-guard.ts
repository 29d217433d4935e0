import { isIP } from "node:net";
import type Koa from "koa";
import { refuse } from "./error-response.ts";

/**
 * Keeps pages of other origins away from what the ops port tells of events. Such a page can ask this port in its
 * visitor's name; it could read the answer once it made its own name point here (DNS rebinding), and without reading
 * it could still make the service work. So the console and `/status` answer to addresses and to names nobody can buy,
 * never to a request that a browser calls cross-site. Probes and scrapers (`/healthz`, `/readyz`, `/metrics`) may come by
 * any name: those tell figures, and why the service is not ready.
 * @param own the host the port listens on, which may be a name
 */
export const ownOrigin =
  (own: string): Koa.Middleware =>
  (ctx, next) => {
    if (!isKnown(hostname(ctx.get("Host")), own)) {
      return refuse(
        ctx,
        421,
        "the console answers to an address, to localhost and to names of a private network; open it by one of those, or have the proxy before it send the address as Host",
      );
    }
    const isVisit = ctx.path === "/" && ctx.get("Sec-Fetch-Mode") === "navigate";
    const site = ctx.get("Sec-Fetch-Site");
    if (!isVisit && (site === "cross-site" || site === "same-site")) {
      return refuse(ctx, 403, "another site's page may not ask the console");
    }
    return next();
  };

/** Of a Host header, without port and brackets. */
const hostname = (host: string): string => {
  const [, address, name] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? [];
  return (address ?? name ?? "").toLowerCase().replace(/\.$/, "");
};

/** Top-level names that are reserved: no stranger can make them point anywhere. */
const reserved = /\.(localhost|local|internal|test|home\.arpa)$/;

const isKnown = (name: string, own: string): boolean => {
  if (name === "") return false;
  const isPlain = !name.includes(".");
  return isIP(name) !== 0 || isPlain || reserved.test(name) || name === own.toLowerCase();
};
