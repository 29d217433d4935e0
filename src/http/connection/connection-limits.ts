import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { clientAddress } from "./client-address.ts";
import type { RejectConnection } from "./rejected-connections.ts";

/**
 * Limits the connections of one client, because idle connections count toward no rate limit. A connection
 * over the limit is closed at once.
 * @param maxPerClient open connections of one client in this process
 */
export const limitConnections = (
  server: Server,
  maxPerClient: number,
  reject: RejectConnection,
): void => {
  const openByClient = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const client = clientAddress({ socket, headers: {} }, 0);
    const count = (openByClient.get(client) ?? 0) + 1;
    if (count > maxPerClient) {
      reject(socket, "client_connection_limit", client);
      return void socket.destroy();
    }
    openByClient.set(client, count);
    socket.once("close", () => {
      const remaining = (openByClient.get(client) ?? 1) - 1;
      if (remaining > 0) openByClient.set(client, remaining);
      else openByClient.delete(client);
    });
  });
};

/** Number of chunks per body that may have any size. */
const maxSmallChunks = 1_000;

/**
 * Minimum average chunk size in bytes beyond that number. Node emits an event per chunk, which takes some
 * microseconds.
 */
const minAverageBytes = 256;

/**
 * Limits the number of small chunks in request bodies, including bodies that no handler reads. A body of 60 KB
 * in one-byte chunks would block the process for a third of a second.
 * @param rejectConnection ends a connection that sends such a body
 */
export const limitChunks = (
  server: Server,
  rejectConnection: (connection: Duplex) => void,
): void => {
  const watch = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.headers["transfer-encoding"] === undefined) return;
    countChunks(request, () => rejectConnection(request.socket));
    // After the response, Node discards the rest of a body without calling `push`. Reading the body keeps its
    // chunks counted.
    response.prependOnceListener("finish", () => {
      request.resume();
    });
  };
  server.on("request", watch);
  server.on("checkExpectation", watch);
};

/**
 * Counts chunks in `push`, where the parser delivers them, because a `data` listener would consume the body.
 */
const countChunks = (request: IncomingMessage, onTooMany: () => void): void => {
  let [chunks, bytes, isRejected] = [0, 0, false];
  const push = request.push.bind(request);
  request.push = (chunk: Uint8Array | null, encoding) => {
    if (isRejected) return false;
    // End of the body.
    if (chunk === null) return push(chunk, encoding);
    chunks += 1;
    bytes += chunk.length;
    if (chunks <= maxSmallChunks || bytes >= minAverageBytes * chunks) return push(chunk, encoding);
    isRejected = true;
    // Also stops reading from the connection.
    request.pause();
    onTooMany();
    return false;
  };
};
