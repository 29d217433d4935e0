import { memoizeLast } from "../../platform/memo.ts";
import { errorReply } from "../error-reply.ts";
import { check, type Exchange, getHeader, type Layer } from "../exchange.ts";

interface OriginGuardOptions {
  readonly baseUrl: string;
  /** Additional browser origins that may call the tools, such as `https://chat.example`. */
  readonly allowedOrigins: "any" | readonly string[];
}

/**
 * Rejects requests of foreign web pages to the tools: browsers send Origin, other clients do not (Contract §5).
 * A page that reached this machine through a host name of its own (DNS rebinding) is detected by `Host`.
 */
export const originGuard = ({ baseUrl, allowedOrigins }: OriginGuardOptions): Layer => {
  const ownUrl = new URL(baseUrl);
  const isAllowed = originTest(ownUrl, allowedOrigins);
  const isOwnHost = ownHostTest(ownUrl);
  return check((exchange) => {
    const origin = getHeader(exchange, "origin").toLowerCase();
    if (origin && !isAllowed(origin)) {
      return errorReply(exchange, "forbidden", "Pages of this origin may not call the tools.");
    }
    const isForeignHost =
      isLoopback(ownUrl.hostname) &&
      isLoopbackClient(exchange) &&
      !isOwnHost(getHeader(exchange, "host"));
    return isForeignHost
      ? errorReply(exchange, "forbidden", "This host name does not belong to the service.")
      : undefined;
  });
};

const originTest = (
  ownUrl: URL,
  allowedOrigins: OriginGuardOptions["allowedOrigins"],
): ((origin: string) => boolean) => {
  if (allowedOrigins === "any") return () => true;
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
  return (origin) => origins.has(origin) || isOwnOrigin(ownUrl, origin);
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
const isLoopbackClient = ({ request }: Exchange): boolean =>
  /^(::1|(::ffff:)?127\.)/.test(request.socket.remoteAddress ?? "");

/** Keeps the last result, because nearly all requests have the same Host. */
const ownHostTest = (ownUrl: URL): ((host: string) => boolean) =>
  memoizeLast((host) => {
    const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
    return url !== undefined && (url.hostname === ownUrl.hostname || isLoopback(url.hostname));
  });
