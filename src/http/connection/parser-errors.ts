import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { apiVersion } from "../../surfaces/shop-info.ts";
import { limitChunks } from "./connection-limits.ts";
import type { RejectConnection, RejectionReason } from "./rejected-connections.ts";
import { sendFinalResponse } from "./responses.ts";

/** Maximum bytes of the head of a request. */
export const maxHeaderSize = 16 * 1024;

/**
 * Sends error responses for malformed, incomplete and late requests in the service's error format
 * (Specification §7.2). Node's own responses have neither a body nor API-Version.
 */
export const handleParserErrors = (server: Server, reject: RejectConnection): void => {
  server.on("clientError", (error: ParserError, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const reason = isUriTooLong(error) ? uriTooLong : (reasonByCode[error.code ?? ""] ?? malformed);
    reject(socket, reason.rejection);
    sendFinalResponse(socket, formatRawResponse(reason));
  });
  // The service does not support CONNECT.
  server.on("connect", (_request, socket) => {
    // Node has removed its own listeners; an unhandled `error` event would end the process.
    for (const event of ["error", "timeout"]) socket.on(event, () => socket.destroy());
    reject(socket, tunnelRejected.rejection);
    sendFinalResponse(socket, formatRawResponse(tunnelRejected));
  });
  limitChunks(server, (socket) => {
    reject(socket, tooManyChunks.rejection);
    sendFinalResponse(socket, formatRawResponse(tooManyChunks));
  });
};

/**
 * Closes a connection that sends requests after a response with `Connection: close`. Node sends that header
 * after `maxRequestsPerSocket` requests, leaves closing to the client, and would answer the next request with
 * an empty 503.
 */
export const closeOnDroppedRequest = (server: Server, reject: RejectConnection): void => {
  server.on("dropRequest", (_request, socket) => {
    reject(socket, "request_after_close");
    socket.destroy();
  });
};

/**
 * Rejects requests whose framing another HTTP parser could read differently. HTTP/1.1 requires exactly one
 * Host header (RFC 9112 §3.2), and a proxy may use the second of two. Node rejects a missing one in its own
 * format, and accepts the first of two.
 */
export const checkFraming =
  (listener: RequestListener, reject: RejectConnection): RequestListener =>
  (request, response) => {
    const problem = findFramingProblem(request);
    if (!problem) return listener(request, response);
    reject(request.socket, problem.rejection);
    rejectRequest(response, problem);
  };

const findFramingProblem = (request: IncomingMessage): Reason | undefined => {
  const hosts = countHosts(request.rawHeaders);
  if (hosts > 1) return duplicateHost;
  if (hosts === 0 && request.httpVersion === "1.1") return missingHost;
  if (!hostPattern.test(request.headers.host ?? "")) return invalidHost;
  return isAmbiguouslyFramed(request) ? ambiguousFraming : undefined;
};

/** Syntax of a Host value (RFC 9110 §7.2, RFC 3986 §3.2.2). */
const hostPattern = /^(?:[\w.~!$&'()*+;=%-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/**
 * Tests whether another parser could see the end of the body elsewhere. HTTP/1.0 has no chunked coding, and
 * no other transfer coding is supported (RFC 9112 §6.1).
 */
const isAmbiguouslyFramed = ({ headers, httpVersion }: IncomingMessage): boolean => {
  const coding = headers["transfer-encoding"];
  if (coding === undefined) return false;
  return httpVersion === "1.0" || coding.trim().toLowerCase() !== "chunked";
};

/** @param headers alternates names and values */
const countHosts = (headers: readonly string[]): number => {
  let hosts = 0;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts;
};

const rejectRequest = (response: ServerResponse, reason: Reason): void => {
  response.writeHead(400, { ...buildHeaders(reason), connection: "close" });
  response.end(formatBody(reason));
};

interface Reason {
  readonly status: string;
  readonly message: string;
  /** Label of the metric. */
  readonly rejection: RejectionReason;
  /** Default: `bad_request`. */
  readonly code?: string;
}

function malformedRequest(message: string): Reason {
  return { status: "400 Bad Request", message, rejection: "malformed_request" };
}

const malformed = malformedRequest("This is not an HTTP request.");
const missingHost = malformedRequest("The Host header is missing.");
const invalidHost = malformedRequest("The Host header is neither a host name nor an IP address.");
const duplicateHost = malformedRequest("There is more than one Host header.");
const ambiguousFraming = malformedRequest(
  "Transfer-Encoding may only be chunked, and only in HTTP/1.1.",
);
const tunnelRejected: Reason = {
  status: "405 Method Not Allowed",
  message: "CONNECT is not supported.",
  rejection: "tunnel",
  code: "method_not_allowed",
};
const tooManyChunks: Reason = {
  status: "400 Bad Request",
  message: "The body has too many small chunks: send it with Content-Length.",
  rejection: "small_chunks",
};

const uriTooLong: Reason = {
  status: "414 URI Too Long",
  message: "The URL is too long.",
  rejection: "headers_too_large",
  code: "uri_too_long",
};

interface ParserError extends NodeJS.ErrnoException {
  /** The bytes that the parser read last. */
  readonly rawPacket?: Buffer;
}

/** Whether the first line alone exceeds the limit on the head of a request. */
const isUriTooLong = ({ code, rawPacket }: ParserError): boolean =>
  code === "HPE_HEADER_OVERFLOW" &&
  rawPacket !== undefined &&
  /^[A-Z]+ \//.test(rawPacket.toString("latin1", 0, 20)) &&
  !rawPacket.subarray(0, maxHeaderSize).includes("\n");

const reasonByCode: Readonly<Record<string, Reason>> = {
  HPE_HEADER_OVERFLOW: {
    status: "431 Request Header Fields Too Large",
    message: "The headers are too large.",
    rejection: "headers_too_large",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: "408 Request Timeout",
    message: "The request took too long to arrive.",
    rejection: "request_timeout",
  },
};

const formatRawResponse = (reason: Reason): string => {
  const headers = Object.entries(buildHeaders(reason)).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const date = new Date().toUTCString();
  return `HTTP/1.1 ${reason.status}\r\nDate: ${date}\r\n${headers.join("")}Connection: close\r\n\r\n${formatBody(reason)}`;
};

/** Formats the error body. Specification §7.2 has no code for most of these, so they are `bad_request`. */
const formatBody = ({ message, code = "bad_request" }: Reason): string =>
  JSON.stringify({ error: { code, message } });

const buildHeaders = (reason: Reason) => ({
  "API-Version": apiVersion,
  "X-Content-Type-Options": "nosniff",
  Deprecation: "false",
  "Cache-Control": "no-store",
  "Content-Type": "application/json; charset=utf-8",
  "Content-Length": Buffer.byteLength(formatBody(reason)),
});
