import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { RejectConnection } from "./rejected-connections.ts";

/**
 * Bytes that clients of one process may leave unread, or let wait for their turn: far more than those who read ever do, and
 * room for them.
 */
const mostUnread = 256 * 1024 * 1024;

/** Milliseconds: in so little time no process makes much more than it has room for. */
const lookEvery = 500;

/** Requests that a client may send without waiting for an answer: what one has read of them nobody else is served before. */
const mostAtOnce = 100;

/**
 * Bounds what a process keeps of answers that nobody takes. A client may ask for megabytes hundreds of times, on as many
 * connections or on one, and read none of them: those who leave most are cut off when all is too much, also of requests
 * that wait for those before them. So is whoever asks for hundreds at once on one connection.
 */
export const boundUnread = (server: Server, reject: RejectConnection): void => {
  const waiting = new Map<Socket, Answers>();
  const note = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    // A connection closed meanwhile would not be heard of again.
    if (socket.destroyed) return;
    const known = waiting.get(socket);
    if (!known) {
      waiting.set(socket, { answers: [response], room: fewest });
      socket.once("close", () => waiting.delete(socket));
    } else if (known.answers.push(response) > known.room) {
      // Looked through only when they are twice as many: at each request that would be the square of them.
      known.answers = known.answers.filter(isUnread);
      known.room = Math.min(mostAtOnce, Math.max(fewest, 2 * known.answers.length));
      if (known.answers.length <= mostAtOnce) return;
      reject(socket, "pipelined_requests");
      socket.destroy();
    }
  };
  server.on("request", note);
  // A request with an expectation that Node does not know is told of by this alone.
  server.on("checkExpectation", note);
  const looking = setInterval(() => cutOff(waiting, reject), lookEvery);
  looking.unref();
  server.once("close", () => clearInterval(looking));
};

/** What was answered on one connection, and how much that may become until it is looked through. */
interface Answers {
  answers: ServerResponse[];
  room: number;
}

/** Answers that are noted though they were read: to look through so few is not worth it. */
const fewest = 4;

const isUnread = ({ writableFinished }: ServerResponse): boolean => !writableFinished;

/** Closes connections on which nothing happened for `server.timeout`, as Node would, and counts those with an unread response. */
export const closeStalled = (server: Server, reject: RejectConnection): void => {
  server.on("timeout", (socket) => {
    if (socket.writableLength > 0) reject(socket, "stalled_response");
    socket.destroy();
  });
};

const cutOff = (waiting: ReadonlyMap<Socket, Answers>, reject: RejectConnection): void => {
  const unread = [...waiting].map(([socket, known]) => {
    // Those that were read hold what they answered.
    known.answers = known.answers.filter(isUnread);
    return { socket, bytes: bytesOf(known.answers) };
  });
  let sum = unread.reduce((all, { bytes }) => all + bytes, 0);
  if (sum <= mostUnread) return;
  for (const { socket, bytes } of unread.sort((a, b) => b.bytes - a.bytes)) {
    if (sum <= mostUnread) return;
    reject(socket, "unread_responses");
    socket.destroy();
    sum -= bytes;
  }
};

/** Answers of the same bytes for all who ask: they are held once, however many leave them unread. */
const shared = new WeakSet<ServerResponse>();

export const tellShared = (answer: ServerResponse): void => void shared.add(answer);

/** Of one connection, with what was asked where several wait there: their heads may be all that is long. */
const bytesOf = (answers: readonly ServerResponse[]): number => {
  let bytes = 0;
  for (const answer of answers) {
    if (!shared.has(answer)) bytes += answer.writableLength;
    if (answers.length > 1) bytes += lengthOf(answer.req);
  }
  return bytes;
};

const lengthOf = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.reduce((sum, { length }) => sum + length, 0);
