import { createServer, type Server } from "node:http";
import type Koa from "koa";
import { VitrineError } from "../errors.ts";
import { boundUnread, closeStalled } from "./connection/backpressure.ts";
import { shareConnections } from "./connection/connection-limit.ts";
import { answerUnreadable, closeAfterLast, wellFramed } from "./connection/parser-errors.ts";
import { inOrder } from "./connection/pipelining.ts";
import { type OnRejection, oncePerConnection } from "./connection/rejected-connections.ts";
import type { State } from "./context.ts";

export interface Address {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** The flag that sets the port, for the error message. */
  readonly flag?: string;
  /** Whether all connections come from proxies, each of which has those of many clients. */
  readonly isBehindProxy?: boolean;
  /** Counts connections that were refused, cut or closed for a fault of their client; not counted unless given. */
  readonly onRejection?: OnRejection;
}

/** Milliseconds. Node's own are far longer, and looked after only every 30 s. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  // Longer than the 60 s common proxies keep a connection for, so that it is they who close it:
  // a request sent into a connection that is just being closed here would be a 502 there.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
};

/** A client that does not take its answer for this long is cut off. Milliseconds. */
const socketTimeoutMs = 30_000;

const maxHeaderSize = 16 * 1024;

/** Lets a long-lived client move on to another worker now and then. */
const maxRequestsPerSocket = 10_000;

/** Per process; and of them, of one client. */
const maxConnections = 2_000;
const maxConnectionsPerClient = 1_500;

/** Connections that wait to be taken, as far as the system lets them. One that finds no room tries again after a second. */
const backlog = 4_096;

/** Serves the app. Throws a `listen` error that names the port and the way out. */
export const listen = (app: Koa<State>, address: Address): Promise<Server> => {
  const options = { ...timeouts, maxHeaderSize, requireHostHeader: false };
  const { onRejection = () => {} } = address;
  const reject = oncePerConnection(onRejection);
  const listener = inOrder(wellFramed(app.callback(), reject));
  const server = createServer(options, listener);
  // Node would answer an expectation it does not know itself, past every step of the app (RFC 9110, 10.1.1).
  server.on("checkExpectation", listener);
  answerUnreadable(server, reject);
  closeAfterLast(server, reject);
  closeStalled(server, reject);
  boundUnread(server, reject);
  server.on("drop", () => onRejection("connection_limit"));
  if (!address.isBehindProxy) shareConnections(server, maxConnectionsPerClient, reject);
  // As many as have room: Node would leave out those behind the 2,000th, and a proxy writes its own last.
  server.maxHeadersCount = 0;
  server.timeout = socketTimeoutMs;
  server.maxRequestsPerSocket = maxRequestsPerSocket;
  server.maxConnections = maxConnections;
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(toListenError(address, error)));
    server.listen({ host: address.host, port: address.port, backlog }, () => {
      // One that cannot be accepted, for want of memory say, is told, and ends nobody.
      server.on("error", (error) => app.emit("error", error));
      resolve(server);
    });
  });
};

const toListenError = (address: Address, error: NodeJS.ErrnoException): VitrineError => {
  const { host, port, flag = "--port" } = address;
  const reason = reasonByCode[error.code ?? ""] ?? error.message;
  const hint = `free it, or choose another with ${flag}`;
  return new VitrineError("listen", `cannot listen on ${host}:${port}: ${reason}`, hint, error);
};

const reasonByCode: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use",
  EACCES: "the port needs rights this user does not have",
  EADDRNOTAVAIL: "this machine does not have that address",
  ENOTFOUND: "the host name is unknown",
};

/** How often connections that fell idle are looked for while draining. Milliseconds. */
const drainIntervalMs = 50;

/**
 * Takes no new connection, closes the idle ones and waits for running requests.
 * @param ms longest wait; what runs then is cut off
 * @returns whether every request came to its end
 */
export const drain = async (server: Server, timeoutMs: number): Promise<boolean> => {
  let isComplete = true;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idleCheck = setInterval(() => server.closeIdleConnections(), drainIntervalMs);
  const timeout = setTimeout(() => {
    isComplete = false;
    server.closeAllConnections();
  }, timeoutMs);
  await closed;
  clearInterval(idleCheck);
  clearTimeout(timeout);
  return isComplete;
};
