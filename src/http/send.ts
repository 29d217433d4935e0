import type { Logger } from "../log.ts";
import type { Reader } from "../read-model/reader/reader.ts";
import { markShared } from "./connection/backpressure.ts";
import { isDraining } from "./connection/responses.ts";
import { type Exchange, type Observe, readTraceContext } from "./exchange.ts";
import { exposeHeaders } from "./middleware/cors.ts";
import { addToVary, noReply, type Reply } from "./reply.ts";
import { everyNamedAgent, type RobotsSource } from "./robots/policy.ts";

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
      route,
      method,
      status,
      seconds: (performance.now() - startedAt) / 1000,
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
  if (reply.takeOver) reply.takeOver(response);
  else if (body === null || method === "HEAD") response.end();
  else response.end(body, "latin1");
  // The socket keeps what the system does not take until the client reads.
  if (request.socket.writableLength === 0 && response.writableEnded) report(status);
  else response.once("close", () => report(response.writableFinished ? status : noReply.status));
};

const listHeaders = (
  exchange: Exchange,
  reply: Reply,
  { dataAge, caching }: SendDeps,
): string[] => {
  const { type, body, etag, madeFrom, headers = [] } = reply;
  const { headers: cachingHeaders, addedAge } = caching(exchange, reply);
  const list: string[] = [];
  if (body !== null) {
    if (type !== undefined) list.push("Content-Type", type);
    list.push("Content-Length", String(body.length));
  }
  if (etag !== undefined) list.push("ETag", etag);
  // Contract §11: a shared reply may be too old for a later request.
  const vary = addedAge > 0 ? addToVary(reply.vary, "X-Min-Position") : reply.vary;
  if (vary !== undefined) list.push("Vary", vary);
  const position = madeFrom?.position;
  if (position) list.push("X-Position", position.text, "X-As-Of", position.asOf);
  // The age belongs to the time of the reply, so no ETag depends on it.
  const age = exchange.model ? dataAge() : undefined;
  if (age !== undefined) list.push("X-Data-Age", String(Math.ceil(age + addedAge)));
  // Faster than to spread the others into a list and to push these.
  return headers.concat(exchange.headers, cachingHeaders, list);
};

/** Headers of a reply that depend on how long shared caches may answer with it. */
interface CachingHeaders {
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** Seconds that the reply may be older than it says, because a shared cache answered with it; 0 unless it is shared. */
  readonly addedAge: number;
}

export type CachingHeadersOf = (exchange: Exchange, reply: Reply) => CachingHeaders;

/**
 * Lets one shared cache (a CDN, or the cache of a proxy) answer with public replies for at most `maxAge` seconds. At the end of that time
 * it asks for a newer one while it answers. Such a reply has no header that belongs to one client. A reply never outlives a price or a delivery
 * date that changes without an event, and is not shared when robots.txt denies it to an agent, because a cache does not know the agent.
 * Each process logs it once, because a robots.txt that denies everything to one agent ends all sharing.
 * @param maxAge 0: no shared cache keeps a reply
 */
export const shareReplies = (
  maxAge: number,
  robots: RobotsSource,
  log: Pick<Logger, "warn">,
  now: () => number = Date.now,
): CachingHeadersOf => {
  let isWarned = false;
  const isOpen = (reader: Reader | undefined, { target, path }: Exchange): boolean => {
    if (robots(reader)(everyNamedAgent, target) === "allowed") return true;
    if (!isWarned) log.warn({ path }, notShared);
    isWarned = true;
    return false;
  };
  const selectLifetime = (exchange: Exchange): number => {
    if (maxAge === 0) return 0;
    const reader = exchange.reader();
    const startedAt = now() - (performance.now() - exchange.startedAt);
    const nextChange = readNextOfferChange(reader, startedAt);
    const lifetime = countSafely(Math.min(maxAge * 1000, nextChange - now()));
    return lifetime > 0 && isOpen(reader, exchange) ? lifetime : 0;
  };
  return (exchange, { publicFor, keptFor }) => {
    if (keptFor !== undefined)
      return {
        headers: ["Cache-Control", `public, max-age=${keptFor}`, ...exposeHeaders],
        addedAge: keptFor,
      };
    if (publicFor === undefined) return { headers: exchange.clientHeaders, addedAge: 0 };
    const lifetime = selectLifetime(exchange);
    if (lifetime > 0) return shared(publicFor, lifetime);
    const directive = publicFor === 0 ? "no-cache" : `private, max-age=${publicFor}`;
    return { headers: ["Cache-Control", directive, ...exchange.clientHeaders], addedAge: 0 };
  };
};

const notShared =
  "shared caches keep no reply that robots.txt denies to an agent it names (--shared-max-age)";

/**
 * Reads the next instant at which a price changes without an event; infinite without a model. A model that cannot be read gives the
 * current one, so that the finished reply is sent and not shared.
 */
const readNextOfferChange = (reader: Reader | undefined, instant: number): number => {
  try {
    return (
      reader?.snapshot((snapshot) => snapshot.nextOfferChange(instant)) ?? Number.POSITIVE_INFINITY
    );
  } catch {
    return instant;
  }
};

/**
 * Counts two seconds less: one because a cache counts in whole seconds of its own clock, as nginx does, and one for the way of the
 * reply to the cache.
 */
const countSafely = (ms: number): number => Math.floor(ms / 1000) - 2;

const shared = (publicFor: number, lifetime: number): CachingHeaders => {
  // Counts twice: the cache of a browser behind the shared cache applies `stale-while-revalidate` again.
  const stale = Math.floor(lifetime / 4);
  const directive = `public, max-age=${publicFor}, s-maxage=${lifetime - 2 * stale}, stale-while-revalidate=${stale}`;
  return { headers: ["Cache-Control", directive, ...exposeHeaders], addedAge: lifetime };
};
