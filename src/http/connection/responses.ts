import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/**
 * Newest response of a connection, stored as a property of the socket: the fastest place for a value that
 * each request sets.
 */
const lastResponse = Symbol("lastResponse");
/** Response before it, until that is sent. */
const previousResponse = Symbol("previousResponse");

/** Turn of the event loop in which the newest request of a connection started. */
const lastTurn = Symbol("lastTurn");

type LinkedResponse = ServerResponse & { [previousResponse]?: LinkedResponse };
type Connection = Duplex & { [lastResponse]?: LinkedResponse; [lastTurn]?: number };

/**
 * Handles pipelined requests one at a time: each starts one turn of the event loop after the response before it on its
 * connection was sent. Node parses all requests of one read in the same turn, so a hundred of them would
 * delay other clients. After a client half-closes its connection, only the running request is answered, as in
 * Node itself.
 */
export const pipelined =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const connection: Connection = request.socket;
    // Node still emits the requests it had parsed when a connection was destroyed.
    if (connection.destroyed) return;
    const current: LinkedResponse = response;
    const previous = connection[lastResponse];
    connection[lastResponse] = current;
    const start = (): void => {
      if (connection.destroyed || connection.writableEnded) return;
      connection[lastTurn] = currentTurn();
      listener(request, response);
    };
    const isPreviousSent = !previous || previous.closed;
    if (isPreviousSent && connection[lastTurn] !== currentTurn()) return start();
    pipelinedRequests.add(request);
    if (isPreviousSent) return void setImmediate(start);
    current[previousResponse] = previous;
    previous.once("close", () => {
      delete current[previousResponse];
      setImmediate(start);
    });
  };

let [turn, isTurnCounted] = [0, false];

/** Numbers the turns of the event loop in which a request arrives or starts. */
const currentTurn = (): number => {
  if (!isTurnCounted) {
    isTurnCounted = true;
    setImmediate(() => {
      isTurnCounted = false;
      turn += 1;
    });
  }
  return turn;
};

/**
 * Starts a request with a body once Node has parsed the first piece of it, which is most often all, and before it parses on: Node runs what
 * waits for the next tick after each piece.
 */
export const afterFirstRead =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    if (request.complete || request.method === "GET" || request.method === "HEAD")
      return listener(request, response);
    process.nextTick(listener, request, response);
  };

const pipelinedRequests = new WeakSet<IncomingMessage>();

/** Tests whether a request waited for earlier ones, so that it starts in a later tick than the one that read it. */
export const wasPipelined = (request: IncomingMessage): boolean => pipelinedRequests.has(request);

/**
 * Sends an error response for bytes that cannot be parsed, after the responses to earlier pipelined requests
 * (RFC 9112 §9.3.2), and then closes the connection. Later parser errors of the same connection are ignored.
 * @param bytes complete response, with status line and headers
 */
export const sendFinalResponse = (connection: Connection, bytes: string): void => {
  if (closing.has(connection)) return;
  closing.add(connection);
  const last = connection[lastResponse];
  const isBroken = last !== undefined && !last.req.complete;
  // The client would take a second response to the same request for the response to its next one.
  if (isBroken && last.headersSent) return void connection.destroy();
  const previous = isBroken ? last[previousResponse] : last;
  const end = (): void => {
    connection.end(bytes);
    // Node no longer applies timeouts to the socket, so a client that never half-closes could hold it open.
    const timer = setTimeout(() => connection.destroy(), lingerMs);
    connection.once("close", () => clearTimeout(timer));
  };
  if (!previous || previous.writableFinished) end();
  else previous.once("finish", end);
};

/** Connections whose final response is being sent. */
const closing = new WeakSet<Connection>();

/**
 * Milliseconds before the connection is destroyed. Closing at once, while the client still sends, would make
 * TCP discard the response.
 */
const lingerMs = 1_000;

const servers = new WeakMap<Socket, Server>();
const drainingServers = new WeakSet<Server>();

/** Lets the responses on the server's connections know when it drains. */
export const trackDraining = (server: Server): void =>
  void server.on("connection", (socket) => servers.set(socket, server));

export const startDraining = (server: Server): void => void drainingServers.add(server);

/** Whether the next response on a connection is its last one, because the server drains. */
export const isDraining = (socket: Socket): boolean => {
  const server = servers.get(socket);
  return server !== undefined && drainingServers.has(server);
};
