import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ceilings } from "../../surfaces/graphql/limits/limits.ts";
import { bodyLimit } from "../../surfaces/mcp/handler.ts";

/** Which requests the fast path takes, and what of them their answers depend on. */

export const isQuery = (request: IncomingMessage): boolean =>
  request.url === "/graphql" && isJson(request, ceilings.bytes);

export const isCall = (request: IncomingMessage): boolean =>
  request.url === "/agent/mcp" && isJson(request, bodyLimit);

/** As programs send it: other spellings and lengths are the app's. */
const isJson = ({ headers }: IncomingMessage, maxBytes: number): boolean =>
  headers["content-type"] === "application/json" &&
  Number(headers["content-length"]) <= maxBytes &&
  headers["content-encoding"] === undefined;

export const isPlainGet = ({ url, headers }: IncomingMessage): boolean =>
  url?.startsWith("/") === true &&
  headers["content-length"] === undefined &&
  headers["transfer-encoding"] === undefined &&
  headers["if-match"] === undefined &&
  headers["if-unmodified-since"] === undefined &&
  headers["if-modified-since"] === undefined;

/** Longest request whose answer is kept, in characters. */
const maxKeyLength = 4_096;

/** Everything an answer depends on besides the model, the limit and robots.txt. */
export const keyOf = (
  { method, url, headers }: IncomingMessage,
  body: string,
): string | undefined => {
  const variant = `${headers.accept ?? ""}\n${headers["accept-encoding"] ?? ""}`;
  const key = `${method} ${url}\n${variant}\n${headers["if-none-match"] ?? ""}\n${body}`;
  return key.length > maxKeyLength ? undefined : key;
};

/** Digests everything that decides whether the tools may be called, the token too, which is stored nowhere else. */
export const senderOf = ({ url, headers, socket }: IncomingMessage): string => {
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
