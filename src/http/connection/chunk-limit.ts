import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Chunks of a body that may be of any size. */
const maxSmallChunks = 1_000;

/** Bytes that all must have on average when there are more: Node tells of each, for which it takes some microseconds. */
const minAverageBytes = 256;

/**
 * Bounds the chunks of bodies, of those too that nobody wants: a body of 60 KB in chunks of a byte would keep the
 * process for a third of a second.
 * @param refuse ends a connection that sends such a body
 */
export const boundChunks = (
  server: Server,
  rejectConnection: (connection: Duplex) => void,
): void => {
  const watch = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.headers["transfer-encoding"] === undefined) return;
    countChunks(request, () => rejectConnection(request.socket));
    // What Node drops by itself, when the answer was sent before the body came, it tells nobody of.
    response.prependOnceListener("finish", () => {
      request.resume();
    });
  };
  server.on("request", watch);
  server.on("checkExpectation", watch);
};

/** Where the parser hands them over: whoever listened for them would be one who reads the body. */
const countChunks = (request: IncomingMessage, onTooMany: () => void): void => {
  let [chunks, bytes, isRejected] = [0, 0, false];
  const push = request.push.bind(request);
  request.push = (chunk: Uint8Array | null, encoding) => {
    if (isRejected) return false;
    // The end of it.
    if (chunk === null) return push(chunk, encoding);
    chunks += 1;
    bytes += chunk.length;
    if (chunks <= maxSmallChunks || bytes >= minAverageBytes * chunks) return push(chunk, encoding);
    isRejected = true;
    // Nothing more is taken from the connection either.
    request.pause();
    onTooMany();
    return false;
  };
};
