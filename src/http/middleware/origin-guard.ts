import type { Context, Middleware } from "../context.ts";
import { sendError } from "../error-response.ts";

export interface OriginGuardOptions {
  readonly baseUrl: string;
  /** Additional browser origins that may call the tools, such as `https://chat.example`. */
  readonly allowedOrigins: readonly string[];
}

/**
 * Rejects requests of foreign web pages to the tools: browsers send Origin, other clients do not (Contract §5).
 * A page that reached this machine through a host name of its own (DNS rebinding) is detected by `Host`.
 */
export const originGuard = ({ baseUrl, allowedOrigins }: OriginGuardOptions): Middleware => {
  const ownUrl = new URL(baseUrl);
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
  return async (ctx, next) => {
    const origin = ctx.get("Origin").toLowerCase();
    if (origin && !origins.has(origin) && !isOwnOrigin(ownUrl, origin)) {
      return sendError(ctx, "forbidden", "Pages of this origin may not call the tools.");
    }
    if (
      isLoopback(ownUrl.hostname) &&
      isLoopbackClient(ctx) &&
      !isOwnHost(ownUrl, ctx.get("Host"))
    ) {
      return sendError(ctx, "forbidden", "This host name does not belong to the service.");
    }
    await next();
  };
};

const isOwnOrigin = (ownUrl: URL, origin: string): boolean => {
  if (origin === ownUrl.origin) return true;
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  return (
    url !== undefined &&
    url.protocol === ownUrl.protocol &&
    url.port === ownUrl.port &&
    isLoopback(ownUrl.hostname) &&
    isLoopback(url.hostname)
  );
};

/** Tests for a loopback name. All loopback names count as the same origin. */
const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);

/**
 * Tests for a loopback peer. A proxy or container network may choose host names of its own, so other peers are
 * not checked.
 */
const isLoopbackClient = (ctx: Context): boolean =>
  /^(::1|(::ffff:)?127\.)/.test(ctx.req.socket.remoteAddress ?? "");

const isOwnHost = (ownUrl: URL, host: string): boolean => {
  const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  return url !== undefined && (url.hostname === ownUrl.hostname || isLoopback(url.hostname));
};
