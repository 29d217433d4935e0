import { markShared } from "./connection/backpressure.ts";
import { isDraining } from "./connection/draining.ts";
import type { Exchange } from "./exchange.ts";
import { type Observe, readTraceContext } from "./exchange.ts";
import { noReply, type Reply } from "./reply.ts";
import type { CachingHeadersOf } from "./representation/shared-caching.ts";

/** Returns how many seconds the model may be behind the shop; undefined while unknown. */
export type DataAge = () => number | undefined;

export interface SendDeps {
  readonly dataAge: DataAge;
  readonly caching: CachingHeadersOf;
  readonly observe: Observe;
}

/** Writes a reply in one call, and reports the request once its last byte is sent or its client has disconnected. */
export const send = (exchange: Exchange, reply: Reply, deps: SendDeps): void => {
  const { request, method, route, startedAt } = exchange;
  const report = (status: number): void =>
    deps.observe({
      ...{ route, method, status, seconds: (performance.now() - startedAt) / 1000 },
      trace: readTraceContext(request),
    });
  if (reply === noReply || request.socket.destroyed) report(noReply.status);
  else write(exchange, reply, listHeaders(exchange, reply, deps), report);
};

const write = (
  exchange: Exchange,
  reply: Reply,
  headers: string[],
  report: (status: number) => void,
): void => {
  const { request, response, method } = exchange;
  const { status, body } = reply;
  if (body instanceof Buffer && reply.isShared) markShared(response);
  if (isDraining(request.socket)) response.shouldKeepAlive = false;
  response.writeHead(status, headers);
  if (body === null || method === "HEAD") response.end();
  else response.end(body, "latin1");
  // The socket keeps what the system does not take until the client reads.
  if (request.socket.writableLength === 0) report(status);
  else response.once("close", () => report(response.writableFinished ? status : noReply.status));
};

const listHeaders = (
  exchange: Exchange,
  reply: Reply,
  { dataAge, caching }: SendDeps,
): string[] => {
  const { type, body, etag, vary, headers = [] } = reply;
  const { headers: cachingHeaders, addedAge } = caching(exchange, reply);
  const list = [...headers, ...exchange.headers, ...cachingHeaders];
  if (body !== null) {
    if (type !== undefined) list.push("Content-Type", type);
    list.push("Content-Length", String(body.length));
  }
  if (etag !== undefined) list.push("ETag", etag);
  if (vary !== undefined) list.push("Vary", vary);
  // The age belongs to the time of the reply, so no ETag depends on it.
  const age = exchange.hasModel ? dataAge() : undefined;
  if (age !== undefined) list.push("X-Data-Age", String(Math.ceil(age + addedAge)));
  return list;
};
