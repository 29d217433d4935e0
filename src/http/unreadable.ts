import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { apiVersion } from "../surfaces/graphql/shop.ts";
import { boundChunks } from "./chunks.ts";
import { answerLast } from "./in-order.ts";

/**
 * Gives what is no HTTP request, and what took too long to become one, an answer in the shape of all others (§7.2):
 * node's own have no body, and no API-Version.
 */
export const answerUnreadable = (server: Server): void => {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    answerLast(socket, rawAnswer(reasons[error.code ?? ""] ?? malformed));
  });
  // Through this service leads no tunnel.
  server.on("connect", (_request, socket) => {
    // Node has taken away all it listened with: an error that nobody hears of would end the process.
    for (const end of ["error", "timeout"]) socket.on(end, () => socket.destroy());
    answerLast(socket, rawAnswer(noTunnel));
  });
  boundChunks(server, (socket) => answerLast(socket, rawAnswer(crumbs)));
};

/**
 * Closes a connection that goes on after its last answer said `Connection: close`. Node says so after
 * `maxRequestsPerSocket` requests, leaves the closing to the client, and would answer the next with a bare 503.
 */
export const closeAfterLast = (server: Server): void => {
  server.on("dropRequest", (_request, socket) => socket.destroy());
};

/**
 * Refuses what others might read otherwise. HTTP/1.1 wants a Host, and no version takes two: whoever stands in front may
 * go by the other (RFC 9112, section 3.2). Node would refuse the first in its own words, and take the first of two.
 */
export const wellFramed =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const hosts = hostsIn(request.rawHeaders);
    if (hosts > 1) return refuse(response, manyHosts);
    if (hosts === 0 && request.httpVersion === "1.1") return refuse(response, noHost);
    if (!hostName.test(request.headers.host ?? "")) return refuse(response, noHostName);
    if (isFramedOtherwise(request)) return refuse(response, otherFraming);
    return listener(request, response);
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
  /** `bad_request` unless given. */
  readonly code?: string;
}

const malformed: Reason = { status: "400 Bad Request", message: "This is no HTTP request." };
const noHost: Reason = { status: "400 Bad Request", message: "The Host header is missing." };
const noTunnel: Reason = {
  status: "405 Method Not Allowed",
  message: "There is no tunnel through this service.",
  code: "method_not_allowed",
};
const noHostName: Reason = {
  status: "400 Bad Request",
  message: "The Host header is no name and no address.",
};
const otherFraming: Reason = {
  status: "400 Bad Request",
  message: "This is no HTTP request: Transfer-Encoding may be chunked, and only in HTTP/1.1.",
};
const crumbs: Reason = {
  status: "400 Bad Request",
  message: "The body comes in too many small chunks: send it whole, with Content-Length.",
};
const manyHosts: Reason = {
  status: "400 Bad Request",
  message: "There is more than one Host header.",
};

const reasons: Readonly<Record<string, Reason>> = {
  HPE_HEADER_OVERFLOW: {
    status: "431 Request Header Fields Too Large",
    message: "The headers are too large.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: "408 Request Timeout",
    message: "The request took too long to arrive.",
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
