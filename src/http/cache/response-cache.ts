import type { ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Reader, ReadSetCheck } from "../../read-model/reader/reader.ts";
import type { Context, Middleware } from "../context.ts";
import { getCarriedOver } from "../fast-path/carried-over.ts";
import { minCompressibleBytes } from "../middleware/compression.ts";
import type { AuthorizedCallers } from "./authorized-callers.ts";
import { createDoorkeeper } from "./doorkeeper.ts";
import type { ResponseHead } from "./response-head.ts";

/** Complete response, with the check that the app would still give it. */
export interface CachedResponse extends ResponseHead {
  /** Empty for a status without body. */
  readonly body: ResponseBody;
  readonly reader: Reader;
  readonly readSet: ReadSetCheck;
}

/** A string holds one byte per character (latin1). */
export type ResponseBody = string | Buffer;

/** Cache of recent responses. */
export interface ResponseCache {
  /**
   * Finds the response to an identical request.
   * @returns undefined when there is none, or its read set has changed
   */
  current(key: string, reader: Reader): CachedResponse | undefined;
  offer(key: string, response: CachedResponse): void;
  /** Finds the head of a GraphQL response of this length for this Accept header. */
  getHead(accept: string, length: number): ResponseHead | undefined;
  rememberHead(accept: string, length: number, head: ResponseHead): void;
}

/** Limit on the characters of all cached responses and their keys. */
const maxCharacters = 16 * 1024 * 1024;

/** Characters an entry is charged in addition to its body and key. */
const entryOverhead = 1_000;

const maxHeads = 100;

export const createResponseCache = (): ResponseCache => {
  const entrySize = ({ body }: CachedResponse, key: string): number =>
    body.length + key.length + entryOverhead;
  const responses = new LRUCache<string, CachedResponse>({
    maxSize: maxCharacters,
    maxEntrySize: maxCharacters / 16,
    sizeCalculation: entrySize,
  });
  const seenBefore = createDoorkeeper(maxCharacters);
  const heads = new LRUCache<string, ResponseHead>({ max: maxHeads });
  const headKey = (accept: string, length: number): string =>
    `${length < minCompressibleBytes} ${accept}`;
  return {
    current(key, reader) {
      const response = responses.get(key);
      if (!response) return undefined;
      if (response.reader === reader && response.readSet.isCurrent()) return response;
      responses.delete(key);
      return undefined;
    },
    offer(key, response) {
      if (!seenBefore(key, entrySize(response, key))) return;
      responses.set(key, { ...response, body: copyBody(response.body) });
    },
    getHead: (accept, length) => heads.get(headKey(accept, length)),
    rememberHead: (accept, length, head) => void heads.set(headKey(accept, length), head),
  };
};

/** Minimum body size in bytes to cache a Buffer. Below it, Node writes head and body faster as one string. */
const minBufferBytes = 8_192;

/** Copies a body, because a V8 cons or sliced string would keep the whole source rows in memory. */
const copyBody = (body: ResponseBody): ResponseBody => {
  const bytes = typeof body === "string" ? Buffer.from(body, "latin1") : body;
  return bytes.length < minBufferBytes ? bytes.toString("latin1") : bytes;
};

/**
 * Stores the responses of later middleware that reported a read set. Of a tool call it stores only the
 * caller, because no two calls have the same response.
 */
export const responseCache =
  (cache: ResponseCache, callers: AuthorizedCallers): Middleware =>
  async (ctx, next) => {
    await next();
    const response = toCachedResponse(ctx);
    if (!response) return;
    const { body, reader, readSet, ...head } = response;
    const { key, callerKey } = getCarriedOver(ctx.req) ?? {};
    if (callerKey !== undefined) callers.add(callerKey, { head, reader, readSet });
    if (key !== undefined) cache.offer(key, response);
    const isCompressed = ctx.res.hasHeader("Content-Encoding");
    if (head.route === "graphql" && !isCompressed)
      cache.rememberHead(ctx.get("Accept"), body.length, head);
  };

/** @returns undefined when the response must not be cached */
const toCachedResponse = (ctx: Context): CachedResponse | undefined => {
  const { readSet, reader, route = "unknown" } = ctx.state;
  if (!readSet || (ctx.status !== 200 && ctx.status !== 304)) return undefined;
  const body = ctx.body ?? "";
  if (typeof body !== "string" && !Buffer.isBuffer(body)) return undefined;
  const headers = readHeaders(ctx.res as ServerResponse & RawHeaderNames);
  return { route, status: ctx.status, headers, body, reader, readSet };
};

/**
 * Reads the headers of a response. Content-Length and those of the rate limit are left out, because they differ
 * between responses.
 */
const readHeaders = (response: ServerResponse & RawHeaderNames): readonly string[] =>
  response
    .getRawHeaderNames()
    .filter((name) => !/^(ratelimit|content-length$)/i.test(name))
    .flatMap((name) => {
      const values = [response.getHeader(name) ?? []].flat();
      return values.flatMap((value) => [name, String(value)]);
    });

/** `getRawHeaderNames` exists since Node 15, but is missing in its types. */
interface RawHeaderNames {
  getRawHeaderNames(): string[];
}
