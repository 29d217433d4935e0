import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** The newest answer on a connection, noted there: the cheapest place, as it is set with each request. */
const lastResponse = Symbol("lastResponse");
/** The one before it, while that is not sent. */
const previousResponse = Symbol("previousResponse");

type LinkedResponse = ServerResponse & { [previousResponse]?: LinkedResponse };
type Connection = Duplex & { [lastResponse]?: LinkedResponse };

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
    const current: LinkedResponse = response;
    const previous = connection[lastResponse];
    connection[lastResponse] = current;
    if (!previous || previous.closed) return listener(request, response);
    current[previousResponse] = previous;
    pipelinedRequests.add(request);
    previous.once("close", () => {
      setImmediate(() => {
        delete current[previousResponse];
        if (!connection.destroyed && !connection.writableEnded) listener(request, response);
      });
    });
  };

const pipelinedRequests = new WeakSet<IncomingMessage>();

/** Whether a request waited for others of its connection: it is not begun with in the turn that read it. */
export const hasWaited = (request: IncomingMessage): boolean => pipelinedRequests.has(request);

/**
 * Answers what is no request, or only the beginning of one, after the answers to the whole ones before it, in their
 * order (RFC 9112, section 9.3.2). Nothing comes after it, however often it is asked for: Node tells of each read of what
 * it cannot read.
 * @param bytes of the answer, head and all
 */
export const answerLast = (connection: Connection, bytes: string): void => {
  if (closing.has(connection)) return;
  closing.add(connection);
  const last = connection[lastResponse];
  const isBroken = last !== undefined && !last.req.complete;
  // Another answer to it would be taken for that to the next.
  if (isBroken && last.headersSent) return void connection.destroy();
  const previous = isBroken ? last[previousResponse] : last;
  const end = (): void => {
    connection.end(bytes);
    // Node looks after it no more, and a client that closes its own half of it when it likes could keep it for ever.
    const timer = setTimeout(() => connection.destroy(), lingerMs);
    connection.once("close", () => clearTimeout(timer));
  };
  if (!previous || previous.writableFinished) end();
  else previous.once("finish", end);
};

/** Those whose last answer is on its way. */
const closing = new WeakSet<Connection>();

/** Milliseconds in which the answer can be taken: closed at once, what the client still sends would take it away. */
const lingerMs = 1_000;
