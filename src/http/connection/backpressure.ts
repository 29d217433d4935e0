import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { RejectConnection } from "./rejected-connections.ts";

/**
 * Bytes that clients of one process may leave unread, or let wait for their turn: far more than those who read ever do, and
 * room for them.
 */
const maxUnsentBytes = 256 * 1024 * 1024;

/** Milliseconds: in so little time no process makes much more than it has room for. */
const checkIntervalMs = 500;

/** Requests that a client may send without waiting for an answer: what one has read of them nobody else is served before. */
const maxPipelinedRequests = 100;

/**
 * Bounds what a process keeps of answers that nobody takes. A client may ask for megabytes hundreds of times, on as many
 * connections or on one, and read none of them: those who leave most are cut off when all is too much, also of requests
 * that wait for those before them. So is whoever asks for hundreds at once on one connection.
 */
export const boundUnread = (server: Server, reject: RejectConnection): void => {
  const connections = new Map<Socket, TrackedConnection>();
  const track = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    // A connection closed meanwhile would not be heard of again.
    if (socket.destroyed) return;
    const tracked = connections.get(socket);
    if (!tracked) {
      connections.set(socket, { responses: [response], sweepAt: minSweepSize });
      socket.once("close", () => connections.delete(socket));
    } else if (tracked.responses.push(response) > tracked.sweepAt) {
      // Looked through only when they are twice as many: at each request that would be the square of them.
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
  // A request with an expectation that Node does not know is told of by this alone.
  server.on("checkExpectation", track);
  const timer = setInterval(() => disconnectWorst(connections, reject), checkIntervalMs);
  timer.unref();
  server.once("close", () => clearInterval(timer));
};

/** What was answered on one connection, and how much that may become until it is looked through. */
interface TrackedConnection {
  responses: ServerResponse[];
  sweepAt: number;
}

/** Answers that are noted though they were read: to look through so few is not worth it. */
const minSweepSize = 4;

const isUnsent = ({ writableFinished }: ServerResponse): boolean => !writableFinished;

/** Closes connections on which nothing happened for `server.timeout`, as Node would, and counts those with an unread response. */
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
  const unsent = [...connections].map(([socket, tracked]) => {
    // Those that were read hold what they answered.
    tracked.responses = tracked.responses.filter(isUnsent);
    return { socket, bytes: countUnsentBytes(tracked.responses) };
  });
  let sum = unsent.reduce((all, { bytes }) => all + bytes, 0);
  if (sum <= maxUnsentBytes) return;
  for (const { socket, bytes } of unsent.sort((a, b) => b.bytes - a.bytes)) {
    if (sum <= maxUnsentBytes) return;
    reject(socket, "unread_responses");
    socket.destroy();
    sum -= bytes;
  }
};

/** Answers of the same bytes for all who ask: they are held once, however many leave them unread. */
const shared = new WeakSet<ServerResponse>();

export const tellShared = (response: ServerResponse): void => void shared.add(response);

/** Of one connection, with what was asked where several wait there: their heads may be all that is long. */
const countUnsentBytes = (responses: readonly ServerResponse[]): number => {
  let bytes = 0;
  for (const response of responses) {
    if (!shared.has(response)) bytes += response.writableLength;
    if (responses.length > 1) bytes += getHeaderLength(response.req);
  }
  return bytes;
};

const getHeaderLength = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.reduce((sum, { length }) => sum + length, 0);
