import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

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
