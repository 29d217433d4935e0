import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { RejectConnection } from "./rejected-connections.ts";

/**
 * Limit on unsent response bytes and pending pipelined requests of all clients of a process. It is far above
 * what clients that read their responses leave unsent, and fits into memory.
 */
const maxUnsentBytes = 256 * 1024 * 1024;

/**
 * Interval of the check in milliseconds: too short for a process to buffer much more than its memory holds.
 */
const checkIntervalMs = 500;

/**
 * Maximum pipelined requests per connection. Node parses all of them in one tick, before it serves other
 * connections.
 */
const maxPipelinedRequests = 100;

/**
 * Limits the response bytes that a process buffers for clients that do not read. A client can request
 * megabytes hundreds of times, on many connections or on one, without reading them. Over the limit, the
 * connections with the most unsent bytes are closed; the heads of pipelined requests count too. A connection
 * with too many pipelined requests is closed at once.
 */
export const limitUnsentBytes = (server: Server, reject: RejectConnection): void => {
  const connections = new Map<Socket, TrackedConnection>();
  const track = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    // A socket that is already destroyed emits no further `close` event.
    if (socket.destroyed) return;
    const tracked = connections.get(socket);
    if (!tracked) {
      connections.set(socket, { responses: [response], sweepAt: minSweepSize });
      socket.once("close", () => connections.delete(socket));
    } else if (tracked.responses.push(response) > tracked.sweepAt) {
      // Sweeps only when the list has doubled, because a sweep per request would be quadratic.
      tracked.responses = tracked.responses.filter(isUnsent);
      tracked.sweepAt = Math.min(
        maxPipelinedRequests,
        Math.max(minSweepSize, 2 * tracked.responses.length),
      );
      if (tracked.responses.length <= maxPipelinedRequests) return;
      reject(socket, "pipelined_requests");
      socket.destroy();
    }
  };
  server.on("request", track);
  // Node emits only this event for a request with an unknown expectation.
  server.on("checkExpectation", track);
  const timer = setInterval(() => disconnectWorst(connections, reject), checkIntervalMs);
  timer.unref();
  server.once("close", () => clearInterval(timer));
};

/** Responses of one connection, and the list length that triggers the next sweep. */
interface TrackedConnection {
  responses: ServerResponse[];
  sweepAt: number;
}

/** Minimum list length for a sweep; shorter lists are not worth it. */
const minSweepSize = 4;

const isUnsent = ({ writableFinished }: ServerResponse): boolean => !writableFinished;

/**
 * Closes connections that were inactive for `server.timeout`, as Node does by default, and counts those with
 * unsent bytes.
 */
export const closeStalled = (server: Server, reject: RejectConnection): void => {
  server.on("timeout", (socket) => {
    if (socket.writableLength > 0) reject(socket, "stalled_response");
    socket.destroy();
  });
};

const disconnectWorst = (
  connections: ReadonlyMap<Socket, TrackedConnection>,
  reject: RejectConnection,
): void => {
  let sum = 0;
  const unsent: { readonly socket: Socket; readonly bytes: number }[] = [];
  for (const [socket, tracked] of connections) {
    // Finished responses would keep their bodies in memory.
    if (!tracked.responses.every(isUnsent)) tracked.responses = tracked.responses.filter(isUnsent);
    const bytes = countUnsentBytes(tracked.responses);
    // Most of 10,000 connections have nothing to send.
    if (bytes > 0) unsent.push({ socket, bytes });
    sum += bytes;
  }
  if (sum <= maxUnsentBytes) return;
  for (const { socket, bytes } of unsent.sort((a, b) => b.bytes - a.bytes)) {
    if (sum <= maxUnsentBytes) return;
    reject(socket, "unread_responses");
    socket.destroy();
    sum -= bytes;
  }
};

/**
 * Responses whose bytes are shared by all clients, so that their unsent bytes take no memory of their own.
 */
const shared = new WeakSet<ServerResponse>();

export const markShared = (response: ServerResponse): void => void shared.add(response);

/**
 * Counts the unsent bytes of a connection. With several pipelined requests their heads count too, because
 * long heads may be all they have.
 */
const countUnsentBytes = (responses: readonly ServerResponse[]): number => {
  let bytes = 0;
  for (const response of responses) {
    const { writableLength } = response;
    if (writableLength > 0 && !shared.has(response)) bytes += writableLength;
    if (responses.length > 1) bytes += getHeaderLength(response.req);
  }
  return bytes;
};

const getHeaderLength = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.reduce((sum, { length }) => sum + length, 0);
