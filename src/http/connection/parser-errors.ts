import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { apiVersion } from "../../surfaces/graphql/resolvers/shop.ts";
import { boundChunks } from "./chunk-limit.ts";
import { answerLast } from "./pipelining.ts";
import type { RejectConnection, RejectionReason } from "./rejected-connections.ts";

/**
 * Gives what is no HTTP request, and what took too long to become one, an answer in the shape of all others (§7.2):
 * node's own have no body, and no API-Version.
 */
export const answerUnreadable = (server: Server, reject: RejectConnection): void => {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const reason = reasons[error.code ?? ""] ?? malformed;
    reject(socket, reason.rejection);
    answerLast(socket, rawAnswer(reason));
  });
  // Through this service leads no tunnel.
  server.on("connect", (_request, socket) => {
    // Node has taken away all it listened with: an error that nobody hears of would end the process.
    for (const end of ["error", "timeout"]) socket.on(end, () => socket.destroy());
    reject(socket, noTunnel.rejection);
    answerLast(socket, rawAnswer(noTunnel));
  });
  boundChunks(server, (socket) => {
    reject(socket, crumbs.rejection);
    answerLast(socket, rawAnswer(crumbs));
  });
};

/**
 * Closes a connection that goes on after its last answer said `Connection: close`. Node says so after
 * `maxRequestsPerSocket` requests, leaves the closing to the client, and would answer the next with a bare 503.
 */
export const closeAfterLast = (server: Server, reject: RejectConnection): void => {
  server.on("dropRequest", (_request, socket) => {
    reject(socket, "request_after_close");
    socket.destroy();
  });
};

/**
 * Refuses what others might read otherwise. HTTP/1.1 wants a Host, and no version takes two: whoever stands in front may
 * go by the other (RFC 9112, section 3.2). Node would refuse the first in its own words, and take the first of two.
 */
export const wellFramed =
  (listener: RequestListener, reject: RejectConnection): RequestListener =>
  (request, response) => {
    const problem = framingProblem(request);
    if (!problem) return listener(request, response);
    reject(request.socket, problem.rejection);
    refuse(response, problem);
  };

const framingProblem = (request: IncomingMessage): Reason | undefined => {
  const hosts = hostsIn(request.rawHeaders);
  if (hosts > 1) return manyHosts;
  if (hosts === 0 && request.httpVersion === "1.1") return noHost;
  if (!hostName.test(request.headers.host ?? "")) return noHostName;
  return isFramedOtherwise(request) ? otherFraming : undefined;
};

/** What may stand there (RFC 9110, section 7.2; RFC 3986, section 3.2.2). */
const hostName = /^(?:[\w.~!$&'()*+;=%-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/**
 * Where a body ends others may see elsewhere: HTTP/1.0 knows no chunks, and what is in them is not packed for us (RFC
 * 9112, section 6.1).
 */
const isFramedOtherwise = ({ headers, httpVersion }: IncomingMessage): boolean => {
  const coding = headers["transfer-encoding"];
  if (coding === undefined) return false;
  return httpVersion === "1.0" || coding.trim().toLowerCase() !== "chunked";
};

/** @param headers names and values in turn */
const hostsIn = (headers: readonly string[]): number => {
  let hosts = 0;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts;
};

const refuse = (response: ServerResponse, reason: Reason): void => {
  response.writeHead(400, { ...headersOf(reason), connection: "close" });
  response.end(bodyOf(reason));
};

interface Reason {
  readonly status: string;
  readonly message: string;
  /** What metrics count it as. */
  readonly rejection: RejectionReason;
  /** `bad_request` unless given. */
  readonly code?: string;
}

function malformedRequest(message: string): Reason {
  return { status: "400 Bad Request", message, rejection: "malformed_request" };
}

const malformed = malformedRequest("This is no HTTP request.");
const noHost = malformedRequest("The Host header is missing.");
const noHostName = malformedRequest("The Host header is no name and no address.");
const manyHosts = malformedRequest("There is more than one Host header.");
const otherFraming = malformedRequest(
  "This is no HTTP request: Transfer-Encoding may be chunked, and only in HTTP/1.1.",
);
const noTunnel: Reason = {
  status: "405 Method Not Allowed",
  message: "There is no tunnel through this service.",
  rejection: "tunnel",
  code: "method_not_allowed",
};
const crumbs: Reason = {
  status: "400 Bad Request",
  message: "The body comes in too many small chunks: send it whole, with Content-Length.",
  rejection: "small_chunks",
};

const reasons: Readonly<Record<string, Reason>> = {
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

const rawAnswer = (reason: Reason): string => {
  const headers = Object.entries(headersOf(reason)).map(([name, value]) => `${name}: ${value}\r\n`);
  const date = new Date().toUTCString();
  return `HTTP/1.1 ${reason.status}\r\nDate: ${date}\r\n${headers.join("")}Connection: close\r\n\r\n${bodyOf(reason)}`;
};

/** §7.2 knows no codes for most of these; all of them are bad requests. */
const bodyOf = ({ message, code = "bad_request" }: Reason): string =>
  JSON.stringify({ error: { code, message } });

const headersOf = (reason: Reason) => ({
  "API-Version": apiVersion,
  Deprecation: "false",
  "Cache-Control": "no-store",
  "Content-Type": "application/json; charset=utf-8",
  "Content-Length": Buffer.byteLength(bodyOf(reason)),
});
