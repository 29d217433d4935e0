import type { ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Footprint, Reader } from "../../read-model/reader/reader.ts";
import type { Step } from "../context.ts";
import { arrivalOf } from "../fast-path/carried-over.ts";
import { tiny } from "../middleware/compression.ts";
import type { AuthorizedCallers } from "./authorized-callers.ts";
import { noticeRepetition } from "./doorkeeper.ts";

/** What makes an answer of a body: names and values of headers in turn, without those that tell of the rate limit. */
export interface Frame {
  readonly route: string;
  readonly status: number;
  readonly headers: readonly string[];
}

/** A whole answer, and how to tell whether it is still the one that would be given. */
export interface KeptAnswer extends Frame {
  /** Empty where a status has no body. */
  readonly body: Body;
  readonly reader: Reader;
  readonly footprint: Footprint;
}

/** A text has one character a byte. */
export type Body = string | Buffer;

/** Answers that were given lately. */
export interface KeptAnswers {
  /** The answer to the very same request, if the app would give it again. */
  current(key: string, reader: Reader): KeptAnswer | undefined;
  keep(key: string, response: KeptAnswer): void;
  /** How the app sends a GraphQL answer of this length to a client with this Accept. */
  frame(accept: string, length: number): Frame | undefined;
  learn(accept: string, length: number, head: Frame): void;
}

/** Characters of all kept answers and their keys. */
const maxCharacters = 16 * 1024 * 1024;

/** What an answer takes besides its text. */
const entryOverhead = 1_000;

const maxHeads = 100;

export const keepAnswers = (): KeptAnswers => {
  const entrySize = ({ body }: KeptAnswer, key: string): number =>
    body.length + key.length + entryOverhead;
  const responses = new LRUCache<string, KeptAnswer>({
    maxSize: maxCharacters,
    maxEntrySize: maxCharacters / 16,
    sizeCalculation: entrySize,
  });
  const seenBefore = noticeRepetition(maxCharacters);
  const heads = new LRUCache<string, Frame>({ max: maxHeads });
  const headKey = (accept: string, length: number): string => `${length < tiny} ${accept}`;
  return {
    current(key, reader) {
      const response = responses.get(key);
      if (!response) return undefined;
      if (response.reader === reader && response.footprint.isCurrent()) return response;
      responses.delete(key);
      return undefined;
    },
    keep(key, response) {
      if (!seenBefore(key, entrySize(response, key))) return;
      responses.set(key, { ...response, body: copyBody(response.body) });
    },
    frame: (accept, length) => heads.get(headKey(accept, length)),
    learn: (accept, length, head) => void heads.set(headKey(accept, length), head),
  };
};

/** From so many bytes on it costs less to hand over bytes as they are than to join them with the head to one text. */
const minBufferBytes = 8_192;

/** Not the text itself, which is joined of parts of the rows it was read from, and would hold all of them. */
const copyBody = (body: Body): Body => {
  const bytes = typeof body === "string" ? Buffer.from(body, "latin1") : body;
  return bytes.length < minBufferBytes ? bytes.toString("latin1") : bytes;
};

/**
 * The app's end: keeps what the steps after this one answered, where they told what they read. Of a call of a tool it
 * keeps the caller alone, as no other call has the same answer.
 */
export const keepAnswer =
  (cache: KeptAnswers, callers: AuthorizedCallers): Step =>
  async (ctx, next) => {
    await next();
    const { footprint: readSetCheck, reader } = ctx.state;
    if (!readSetCheck || (ctx.status !== 200 && ctx.status !== 304)) return;
    const body = ctx.body ?? "";
    if (typeof body !== "string" && !Buffer.isBuffer(body)) return;
    const head = {
      route: ctx.state.route ?? "unknown",
      status: ctx.status,
      headers: readHeaders(ctx.res as ServerResponse & RawHeaderNames),
    };
    const { key, sender: callerKey } = arrivalOf(ctx.req) ?? {};
    if (callerKey !== undefined)
      callers.add(callerKey, { frame: head, reader, footprint: readSetCheck });
    if (key !== undefined) cache.keep(key, { ...head, body, reader, footprint: readSetCheck });
    const isCompressed = ctx.res.hasHeader("Content-Encoding");
    if (head.route === "graphql" && !isCompressed)
      cache.learn(ctx.get("Accept"), body.length, head);
  };

/** Content-Length goes with each body, the limit with each client. */
const readHeaders = (response: ServerResponse & RawHeaderNames): readonly string[] =>
  response
    .getRawHeaderNames()
    .filter((name) => !/^(ratelimit|content-length$)/i.test(name))
    .flatMap((name) => {
      const values = [response.getHeader(name) ?? []].flat();
      return values.flatMap((value) => [name, String(value)]);
    });

/** Node has it since version 15, its types have not. */
interface RawHeaderNames {
  getRawHeaderNames(): string[];
}
