import type { RequestListener, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { apiVersion } from "../surfaces/graphql/shop.ts";

/**
 * Gives what is no HTTP request, and what took too long to become one, an answer in the shape of all others (§7.2):
 * node's own have no body, and no API-Version.
 */
export const answerUnreadable = (server: Server): void => {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Asked) => {
    const begun = socket[latest];
    const isInAnswer = begun?.headersSent && !begun.writableFinished;
    if (error.code === "ECONNRESET" || !socket.writable || isInAnswer) return void socket.destroy();
    socket.end(rawAnswer(reasons[error.code ?? ""] ?? malformed));
    // Node looks after it no more, and a client that closes its own half of it when it likes could keep it for ever.
    const lingering = setTimeout(() => socket.destroy(), linger);
    socket.once("close", () => clearTimeout(lingering));
  });
};

/** Milliseconds in which the answer can be taken: closed at once, what the client still sends would take it away. */
const linger = 1_000;

/**
 * Closes a connection that goes on after its last answer said `Connection: close`. Node says so after
 * `maxRequestsPerSocket` requests, leaves the closing to the client, and would answer the next with a bare 503.
 */
export const closeAfterLast = (server: Server): void => {
  server.on("dropRequest", (_request, socket) => socket.destroy());
};

/** The newest answer on a connection, noted there: the cheapest place, as it is set with each request. */
const latest = Symbol("latest");
type Asked = Duplex & { [latest]?: ServerResponse };

/**
 * HTTP/1.1 wants a Host, and no version takes two: whoever stands in front may go by the other (RFC 9112, section 3.2).
 * Node would refuse the first in its own words, and take the first of two.
 */
export const withHost =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    // Of a connection that was cut off Node still tells every request it had read.
    if (request.socket.destroyed) return;
    (request.socket as Asked)[latest] = response;
    const hosts = hostsIn(request.rawHeaders);
    if (hosts === 1 || (hosts === 0 && request.httpVersion !== "1.1")) {
      return listener(request, response);
    }
    return refuse(response, hosts === 0 ? noHost : manyHosts);
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
}

const malformed: Reason = { status: "400 Bad Request", message: "This is no HTTP request." };
const noHost: Reason = { status: "400 Bad Request", message: "The Host header is missing." };
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
  return `HTTP/1.1 ${reason.status}\r\n${headers.join("")}Connection: close\r\n\r\n${bodyOf(reason)}`;
};

/** §7.2 knows no code for these; all of them are bad requests. */
const bodyOf = ({ message }: Reason): string =>
  JSON.stringify({ error: { code: "bad_request", message } });

const headersOf = (reason: Reason) => ({
  "API-Version": apiVersion,
  Deprecation: "false",
  "Cache-Control": "no-store",
  "Content-Type": "application/json; charset=utf-8",
  "Content-Length": Buffer.byteLength(bodyOf(reason)),
});
