import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** The newest answer on a connection, noted there: the cheapest place, as it is set with each request. */
const latest = Symbol("latest");
/** The one before it, while that is not sent. */
const former = Symbol("former");

type Answer = ServerResponse & { [former]?: Answer };
type Connection = Duplex & { [latest]?: Answer };

/**
 * Begins with a request when the answer before it on its connection was sent, and others had their turn. Node tells of
 * all requests that one read of a connection brings in one go: a hundred of them would be answered before anybody else
 * was. A client that closes its own half waits for none but the one that is being answered then, as always with Node.
 */
export const inOrder =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const connection: Connection = request.socket;
    // Of a connection that was cut off Node still tells every request it had read.
    if (connection.destroyed) return;
    const answer: Answer = response;
    const before = connection[latest];
    connection[latest] = answer;
    if (!before || before.closed) return listener(request, response);
    answer[former] = before;
    late.add(request);
    before.once("close", () => {
      setImmediate(() => {
        delete answer[former];
        if (!connection.destroyed && !connection.writableEnded) listener(request, response);
      });
    });
  };

const late = new WeakSet<IncomingMessage>();

/** Whether a request waited for others of its connection: it is not begun with in the turn that read it. */
export const hasWaited = (request: IncomingMessage): boolean => late.has(request);

/**
 * Answers what is no request, or only the beginning of one, after the answers to the whole ones before it, in their
 * order (RFC 9112, section 9.3.2). Nothing comes after it, however often it is asked for: Node tells of each read of what
 * it cannot read.
 * @param bytes of the answer, head and all
 */
export const answerLast = (connection: Connection, bytes: string): void => {
  if (ended.has(connection)) return;
  ended.add(connection);
  const newest = connection[latest];
  const isBroken = newest !== undefined && !newest.req.complete;
  // Another answer to it would be taken for that to the next.
  if (isBroken && newest.headersSent) return void connection.destroy();
  const before = isBroken ? newest[former] : newest;
  const end = (): void => {
    connection.end(bytes);
    // Node looks after it no more, and a client that closes its own half of it when it likes could keep it for ever.
    const lingering = setTimeout(() => connection.destroy(), linger);
    connection.once("close", () => clearTimeout(lingering));
  };
  if (!before || before.writableFinished) end();
  else before.once("finish", end);
};

/** Those whose last answer is on its way. */
const ended = new WeakSet<Connection>();

/** Milliseconds in which the answer can be taken: closed at once, what the client still sends would take it away. */
const linger = 1_000;
