import { crc32 } from "node:zlib";
import { LRUCache } from "lru-cache";
import type { Reader } from "../../read-model/reader/reader.ts";
import { after, type Exchange, type HasBody, type Layer } from "../exchange.ts";
import { bodyBytes, type Reply, shortenBody, type Validity } from "../reply.ts";
import { compressFast, createForms } from "../representation/compression.ts";

/** Cache of recent replies. A reply never expires by time, and is never served when it could be outdated. */
export interface ResponseCache {
  /**
   * Finds the reply to an identical request.
   * @returns undefined when there is none, or what it was computed from has changed
   */
  current(key: string, reader: Reader): CachedReply | undefined;
  offer(key: string, cachedReply: CachedReply): void;
}

/** A reply and the route that metrics count it for, which the handler of pages decides. */
interface CachedReply {
  readonly reply: Reply;
  readonly route: string;
}

/** Limit on the characters of all cached replies and their keys. */
const maxCharacters = 16 * 1024 * 1024;

/** Characters an entry is charged in addition to its body, its compressed forms and its key. */
const entryOverhead = 1_000;

/** Characters that a body and its compressed forms take, per character of the body. */
const bodyFactor = 1.5;

interface Entry extends CachedReply {
  readonly validity: Validity;
}

export const createResponseCache = (): ResponseCache => {
  const sizeOf = ({ body }: Reply, key: string): number =>
    Math.ceil((body?.length ?? 0) * bodyFactor) + key.length + entryOverhead;
  const entries = new LRUCache<string, Entry>({
    maxSize: maxCharacters,
    maxEntrySize: maxCharacters / 16,
    sizeCalculation: ({ reply }, key) => sizeOf(reply, key),
  });
  const seenBefore = createDoorkeeper(maxCharacters);
  return {
    current(key, reader) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      const { validity } = entry;
      if (validity.reader === reader && validity.readSet.isCurrent()) return entry;
      entries.delete(key);
      return undefined;
    },
    offer(key, { reply, route }) {
      const { validity } = reply;
      if (!validity || (reply.status !== 200 && reply.status !== 304)) return;
      if (seenBefore(key, sizeOf(reply, key)))
        entries.set(key, { reply: toCached(reply), route, validity });
    },
  };
};

const toCached = (reply: Reply): Reply => ({
  ...reply,
  body: copyBody(reply.body),
  forms: createForms(compressFast),
});

/** Copies a body, because a V8 cons or sliced string would keep the complete source rows in memory. */
const copyBody = (body: Reply["body"]): Reply["body"] =>
  body === null ? null : shortenBody(bodyBytes(body));

/** Serves the replies to GET requests from a cache. */
export const cacheReads =
  (cache: ResponseCache): Layer =>
  (next) =>
  (exchange) =>
    isCacheableGet(exchange) ? cached(cache, exchange, "", next) : next(exchange);

/** Serves the replies to requests with a body from a cache. */
export const cacheQueries =
  (cache: ResponseCache) =>
  <Needs>(
    next: (exchange: Exchange & Needs & HasBody) => Reply | Promise<Reply>,
  ): ((exchange: Exchange & Needs & HasBody) => Reply | Promise<Reply>) =>
  (exchange) =>
    cached(cache, exchange, exchange.body.toString("latin1"), next);

const cached = <E extends Exchange>(
  cache: ResponseCache,
  exchange: E,
  body: string,
  next: (exchange: E) => Reply | Promise<Reply>,
): Reply | Promise<Reply> => {
  const key = cacheKey(exchange, body);
  if (key.length > maxKeyLength) return next(exchange);
  const reader = exchange.reader();
  const hit = reader && cache.current(key, reader);
  if (hit) {
    exchange.model = reader;
    exchange.route = hit.route;
    return hit.reply;
  }
  return after(next(exchange), (reply) => {
    cache.offer(key, { reply, route: exchange.route });
    return reply;
  });
};

const isCacheableGet = ({ method, request: { headers } }: Exchange): boolean =>
  method === "GET" &&
  headers["content-length"] === undefined &&
  headers["transfer-encoding"] === undefined &&
  headers["if-match"] === undefined &&
  headers["if-unmodified-since"] === undefined;

const maxKeyLength = 4_096;

/** Combines everything that a reply depends on before its compression, except the model, the rate limit and robots.txt. */
const cacheKey = ({ method, target, request: { headers } }: Exchange, body: string): string =>
  `${method} ${target}\n${headers.accept ?? ""}\n${headers["if-none-match"] ?? ""}\n${body}`;

/** Number of remembered keys, approximately, because keys share slots by checksum. */
const slotCount = 8_192;

/**
 * Creates a cache admission filter. It admits a response only if its key was seen before, within as much
 * response volume as the cache holds, because most keys are requested once and would only evict others. It
 * stores checksums instead of keys, because a thousand short-lived strings are expensive for the garbage
 * collector. Two keys with one checksum count as the same key: the only effect is that a response is cached one
 * request early.
 * @param capacity of the cache, in the unit of the sizes
 */
export const createDoorkeeper = (capacity: number) => {
  const checksums = new Uint32Array(slotCount);
  const seenAt = new Float64Array(slotCount);
  let totalSize = 0;
  return (key: string, size: number): boolean => {
    const checksum = crc32(key);
    const slot = checksum % slotCount;
    const distance = totalSize - (seenAt[slot] as number);
    const seenBefore = checksums[slot] === checksum && distance + size <= capacity;
    totalSize += size;
    checksums[slot] = checksum;
    seenAt[slot] = totalSize;
    return seenBefore;
  };
};
