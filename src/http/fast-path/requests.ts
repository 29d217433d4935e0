import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { graphqlLimits } from "../../surfaces/graphql/limits/limits.ts";
import { maxRequestBytes } from "../../surfaces/mcp/handler.ts";

/** Selects the requests of the fast path, and computes their cache keys. */

export const isGraphqlRequest = (request: IncomingMessage): boolean =>
  request.url === "/graphql" && isJson(request, graphqlLimits.bytes);

export const isToolRequest = (request: IncomingMessage): boolean =>
  request.url === "/agent/mcp" && isJson(request, maxRequestBytes);

/** Tests for the usual headers of programs. Other spellings and lengths pass to the app. */
const isJson = ({ headers }: IncomingMessage, maxBytes: number): boolean =>
  headers["content-type"] === "application/json" &&
  Number(headers["content-length"]) <= maxBytes &&
  headers["content-encoding"] === undefined;

export const isCacheableGet = ({ url, headers }: IncomingMessage): boolean =>
  url?.startsWith("/") === true &&
  headers["content-length"] === undefined &&
  headers["transfer-encoding"] === undefined &&
  headers["if-match"] === undefined &&
  headers["if-unmodified-since"] === undefined &&
  headers["if-modified-since"] === undefined;

/** Maximum length in characters of a request whose response is cached. */
const maxKeyLength = 4_096;

/**
 * Computes a key of everything a response depends on, except the model, the rate limit and robots.txt.
 * @returns undefined when the request is too long to be cached
 */
export const computeCacheKey = (
  { method, url, headers }: IncomingMessage,
  body: string,
): string | undefined => {
  const variant = `${headers.accept ?? ""}\n${headers["accept-encoding"] ?? ""}`;
  const key = `${method} ${url}\n${variant}\n${headers["if-none-match"] ?? ""}\n${body}`;
  return key.length > maxKeyLength ? undefined : key;
};

/**
 * Digests all parts of a request that decide about access to the tools. The digest includes the token, which is
 * stored nowhere else.
 */
export const computeCallerKey = ({ url, headers, socket }: IncomingMessage): string => {
  const parts = [
    url,
    headers.authorization,
    headers.host,
    headers.origin,
    socket.remoteAddress,
    headers["mcp-protocol-version"],
    headers["mcp-method"],
    headers["mcp-name"],
  ];
  return hash("sha256", parts.join("\n"), "base64url");
};
