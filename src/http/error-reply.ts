import type { HtmlPage } from "../surfaces/text/html-page.ts";
import { type Exchange, getHeader } from "./exchange.ts";
import { typeNegotiator } from "./negotiation/accept.ts";
import { prefersHtml } from "./negotiation/markdown-or-html.ts";
import { encodeText, type Reply } from "./reply.ts";

/** Maps the stable error codes to status codes (Specification §7.2). */
const statusByCode = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  start_over: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof statusByCode;

export interface ErrorDetails {
  /** Seconds; also sent as `Retry-After`. */
  readonly retryAfter?: number;
  /** URL of the protected resource metadata. */
  readonly resourceMetadata?: string;
  /** Other members of the error, which text has no room for: it is JSON then. */
  readonly more?: Readonly<Record<string, string>>;
  /** Other headers, names and values in turn. */
  readonly headers?: readonly string[];
}

/**
 * Builds an error: JSON with `error.code`, or one line of text for clients that do not accept JSON
 * (Specification §7.2).
 */
export const errorReply = (
  exchange: Exchange,
  code: ErrorCode,
  message: string,
  { retryAfter, resourceMetadata, more, headers = [] }: ErrorDetails = {},
): Reply => {
  const error = {
    code,
    message,
    retry_after: retryAfter,
    resource_metadata: resourceMetadata,
    ...more,
  };
  // GraphQL clients show only the messages in `errors`.
  const errors = exchange.route === "graphql" ? [{ message, extensions: { code } }] : undefined;
  const best = negotiateErrorType(getHeader(exchange, "accept"));
  const isJson = more !== undefined || (best !== undefined && best !== "text/plain");
  const waiting = retryAfter === undefined ? [] : ["Retry-After", String(retryAfter)];
  return {
    status: statusByCode[code],
    type: `${isJson ? jsonType(exchange, best ?? "") : "text/plain"}; charset=utf-8`,
    body: encodeText(isJson ? JSON.stringify({ error, errors }) : `${code}: ${message}\n`),
    vary: "Accept",
    headers: ["Cache-Control", "no-store", ...waiting, ...headers],
  };
};

/** Selects the type of GraphQL for clients that prefer it, because they do not read the errors of a refusal of another type. */
const jsonType = ({ route }: Exchange, best: string): string =>
  route === "graphql" && best === graphqlType ? best : "application/json";

const graphqlType = "application/graphql-response+json";

const negotiateErrorType = typeNegotiator([
  "application/json",
  graphqlType,
  "application/problem+json",
  "text/plain",
]);

/** Answers a URL that nothing is at. */
export const notFound = (exchange: Exchange, message = "Nothing is here."): Reply =>
  errorReply(exchange, "not_found", message);

/** Shows a refusal as an HTML page where a person meets it in a browser. Its status and its other headers stay. */
export const withNotice = (exchange: Exchange, reply: Reply, page: () => HtmlPage): Reply => {
  if (!prefersHtml(getHeader(exchange, "accept"))) return reply;
  const { text, contentSecurityPolicy } = page();
  return {
    ...reply,
    type: "text/html; charset=utf-8",
    body: encodeText(text),
    headers: [
      ...(reply.headers ?? []),
      ...["Content-Security-Policy", contentSecurityPolicy],
      ...["Referrer-Policy", "no-referrer"],
    ],
  };
};
