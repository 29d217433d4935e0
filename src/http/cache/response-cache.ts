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
  keep(key: string, answer: KeptAnswer): void;
  /** How the app sends a GraphQL answer of this length to a client with this Accept. */
  frame(accept: string, length: number): Frame | undefined;
  learn(accept: string, length: number, frame: Frame): void;
}

/** Characters of all kept answers and their keys. */
const roomFor = 16 * 1024 * 1024;

/** What an answer takes besides its text. */
const overhead = 1_000;

const mostFrames = 100;

export const keepAnswers = (): KeptAnswers => {
  const sizeOf = ({ body }: KeptAnswer, key: string): number => body.length + key.length + overhead;
  const answers = new LRUCache<string, KeptAnswer>({
    maxSize: roomFor,
    maxEntrySize: roomFor / 16,
    sizeCalculation: sizeOf,
  });
  const isAgain = noticeRepetition(roomFor);
  const frames = new LRUCache<string, Frame>({ max: mostFrames });
  const frameKey = (accept: string, length: number): string => `${length < tiny} ${accept}`;
  return {
    current(key, reader) {
      const answer = answers.get(key);
      if (!answer) return undefined;
      if (answer.reader === reader && answer.footprint.isCurrent()) return answer;
      answers.delete(key);
      return undefined;
    },
    keep(key, answer) {
      if (!isAgain(key, sizeOf(answer, key))) return;
      answers.set(key, { ...answer, body: lasting(answer.body) });
    },
    frame: (accept, length) => frames.get(frameKey(accept, length)),
    learn: (accept, length, frame) => void frames.set(frameKey(accept, length), frame),
  };
};

/** From so many bytes on it costs less to hand over bytes as they are than to join them with the head to one text. */
const large = 8_192;

/** Not the text itself, which is joined of parts of the rows it was read from, and would hold all of them. */
const lasting = (body: Body): Body => {
  const bytes = typeof body === "string" ? Buffer.from(body, "latin1") : body;
  return bytes.length < large ? bytes.toString("latin1") : bytes;
};

/**
 * The app's end: keeps what the steps after this one answered, where they told what they read. Of a call of a tool it
 * keeps the caller alone, as no other call has the same answer.
 */
export const keepAnswer =
  (kept: KeptAnswers, callers: AuthorizedCallers): Step =>
  async (ctx, next) => {
    await next();
    const { footprint, reader } = ctx.state;
    if (!footprint || (ctx.status !== 200 && ctx.status !== 304)) return;
    const body = ctx.body ?? "";
    if (typeof body !== "string" && !Buffer.isBuffer(body)) return;
    const frame = {
      route: ctx.state.route ?? "unknown",
      status: ctx.status,
      headers: told(ctx.res as ServerResponse & RawNames),
    };
    const { key, sender } = arrivalOf(ctx.req) ?? {};
    if (sender !== undefined) callers.add(sender, { frame, reader, footprint });
    if (key !== undefined) kept.keep(key, { ...frame, body, reader, footprint });
    const isPacked = ctx.res.hasHeader("Content-Encoding");
    if (frame.route === "graphql" && !isPacked) kept.learn(ctx.get("Accept"), body.length, frame);
  };

/** Content-Length goes with each body, the limit with each client. */
const told = (response: ServerResponse & RawNames): readonly string[] =>
  response
    .getRawHeaderNames()
    .filter((name) => !/^(ratelimit|content-length$)/i.test(name))
    .flatMap((name) => {
      const values = [response.getHeader(name) ?? []].flat();
      return values.flatMap((value) => [name, String(value)]);
    });

/** Node has it since version 15, its types have not. */
interface RawNames {
  getRawHeaderNames(): string[];
}
