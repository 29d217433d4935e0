import { createServer, type Server } from "node:http";
import { Server as NetServer } from "node:net";
import type Koa from "koa";
import { VitrineError } from "../errors.ts";
import { closeStalled, limitUnsentBytes } from "./connection/backpressure.ts";
import { limitConnections } from "./connection/connection-limits.ts";
import {
  checkFraming,
  closeOnDroppedRequest,
  handleParserErrors,
  maxHeaderSize,
} from "./connection/parser-errors.ts";
import { type OnRejection, oncePerConnection } from "./connection/rejected-connections.ts";
import { afterFirstRead, pipelined, startDraining, trackDraining } from "./connection/responses.ts";

export interface ListenAddress {
  readonly host: string;
  /** 0 selects any free port. */
  readonly port: number;
  /** File descriptor of a listening socket, which replaces host and port. */
  readonly descriptor?: number;
  /** CLI flag that sets the port, for the error message. That of the host differs in its last word. */
  readonly flag?: "--port" | "--ops-port" | "--gateway-port" | "--gateway-ops-port";
  /** Set when all connections come from proxies, so that one address stands for many clients. */
  readonly isBehindProxy?: boolean;
  /** Connections of followers of the change feed, in addition to others. Default: none. */
  readonly maxFollowers?: number;
  /** Counts connections rejected or closed through a fault of their client. Default: not counted. */
  readonly onRejection?: OnRejection;
}

/** Milliseconds. Node's defaults are far longer, and are checked only every 30 s. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  // Longer than the 60 s for which common proxies keep idle connections, so that the proxy closes them. A
  // request sent on a connection that the server is closing would be a 502 at the proxy.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
};

/** Milliseconds after which a connection is closed because its client reads nothing. */
const socketTimeoutMs = 30_000;

/** Makes long-lived clients reconnect, and so move to another worker now and then. */
const maxRequestsPerSocket = 10_000;

/** Limits per process, and per client within it. */
const maxConnections = 2_000;
const maxConnectionsPerClient = 1_500;

/**
 * Length of the accept queue, as far as the system allows it. A client that finds it full retries after a
 * second.
 */
const backlog = 4_096;

/**
 * Starts the HTTP server.
 * @throws VitrineError `listen`, which names the port and a remedy
 */
export const listen = (app: Koa, address: ListenAddress): Promise<Server> => {
  const options = { ...timeouts, maxHeaderSize, requireHostHeader: false };
  const { onRejection = () => {} } = address;
  const reject = oncePerConnection(onRejection);
  const listener = pipelined(checkFraming(afterFirstRead(app.callback()), reject));
  const server = createServer(options, listener);
  // Node would answer an unknown expectation itself, without the app's middleware (RFC 9110 §10.1.1).
  server.on("checkExpectation", listener);
  trackDraining(server);
  handleParserErrors(server, reject);
  closeOnDroppedRequest(server, reject);
  closeStalled(server, reject);
  limitUnsentBytes(server, reject);
  server.on("drop", () => onRejection("connection_limit"));
  if (!address.isBehindProxy) limitConnections(server, maxConnectionsPerClient, reject);
  // Removes the limit on the number of headers, because Node would drop those after the 2,000th, and a proxy
  // appends its own last. `maxHeaderSize` still applies.
  server.maxHeadersCount = 0;
  server.timeout = socketTimeoutMs;
  server.maxRequestsPerSocket = maxRequestsPerSocket;
  server.maxConnections = maxConnections + (address.maxFollowers ?? 0);
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(toListenError(address, error)));
    const { host, port, descriptor } = address;
    // Node takes the backlog of a descriptor only as an argument of its own.
    const from = descriptor === undefined ? { host, port, backlog } : { fd: descriptor };
    server.listen(from, backlog, () => {
      // A connection that cannot be accepted, for example for lack of memory, is logged and does not end the
      // process.
      server.on("error", (error) => app.emit("error", error));
      resolve(server);
    });
  });
};

const toListenError = (address: ListenAddress, error: NodeJS.ErrnoException): VitrineError => {
  const { host, port, descriptor, flag = "--port" } = address;
  const code = error.code ?? "";
  const reason = reasonByCode[code] ?? error.message;
  if (descriptor !== undefined) {
    const hint = "pass a TCP socket that listens: ListenStream= of a systemd socket unit";
    return new VitrineError("listen", `cannot listen on the inherited socket: ${reason}`, hint);
  }
  const hostFlag = flag.replace("port", "host");
  const hint =
    code === "EADDRINUSE" || code === "EACCES"
      ? `free it, or choose another with ${flag}`
      : `name an address of this machine with ${hostFlag} (${hostFlag.slice(2).replace("-", "_").toUpperCase()}), such as 127.0.0.1`;
  return new VitrineError("listen", `cannot listen on ${host}:${port}: ${reason}`, hint, error);
};

const reasonByCode: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use",
  EACCES: "the port needs rights this user does not have",
  EADDRNOTAVAIL: "this machine does not have that address",
  EAFNOSUPPORT: "this machine has no addresses of that kind",
  ENOTFOUND: "the host name is unknown",
  EAI_AGAIN: "the host name cannot be looked up",
};

/** Interval of closing idle connections while draining, in milliseconds. */
const drainIntervalMs = 50;

/**
 * Stops accepting connections, ends open ones with their next response or when idle, and waits for running requests.
 * @param timeoutMs after which running requests are aborted
 * @param idleMs for which idle connections stay open: a client that sends requests all the time learns from `Connection: close` of a
 *   response that it needs another connection, and sends none on a connection that is being closed
 * @returns false when requests were aborted
 */
export const drain = async (server: Server, timeoutMs: number, idleMs = 0): Promise<boolean> => {
  let isComplete = true;
  startDraining(server);
  // The method of HTTP servers would close idle connections at once.
  const close = NetServer.prototype.close.bind(server);
  const closed = new Promise<void>((resolve) => close(() => resolve()));
  const idleEnd = performance.now() + idleMs;
  const closeIdle = (): void => {
    if (performance.now() >= idleEnd) server.closeIdleConnections();
  };
  closeIdle();
  const idleCheck = setInterval(closeIdle, drainIntervalMs);
  const timeout = setTimeout(() => {
    isComplete = false;
    server.closeAllConnections();
  }, timeoutMs);
  await closed;
  clearInterval(idleCheck);
  clearTimeout(timeout);
  return isComplete;
};
