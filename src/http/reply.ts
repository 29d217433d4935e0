import type { ServerResponse } from "node:http";
import type { Positioned } from "../read-model/reader/feed/position.ts";
import type { Reader, ReadSetCheck } from "../read-model/reader/reader.ts";

/** Response to a request. Handlers return it, layers may replace it, and `send.ts` writes it. */
export interface Reply {
  readonly status: number;
  /** Null for a status without body. The reply to HEAD has the body too, and only its length is sent. */
  readonly body: ReplyBody | null;
  readonly type?: string | undefined;
  readonly etag?: string | undefined;
  /** Names of the request headers that select the reply, such as `Accept`. */
  readonly vary?: string | undefined;
  /**
   * Set when every client gets this reply, so that a shared cache may keep it (`send.ts`). The seconds
   * for which a client's own cache may use it without asking.
   */
  readonly publicFor?: number | undefined;
  /** Set when every client gets this reply, and any cache may keep it for these seconds, whatever the settings say. */
  readonly keptFor?: number;
  /** Other headers, names and values in turn. */
  readonly headers?: readonly string[];
  /** Set when the body is sent more than once. */
  readonly forms?: CompressedForms;
  /** Set for a reply that goes on: writes to the response after its head, and ends it. */
  readonly takeOver?: (response: ServerResponse) => void;
  /** Set when all responses share the memory of the body and its compressed forms. */
  readonly isShared?: true;
  /** Set when the reply may be cached. */
  readonly validity?: Validity | undefined;
  /** Set when one snapshot made the reply: `send.ts` states its position. */
  readonly madeFrom?: Positioned | undefined;
}

/** A reply before its body is rendered. */
export type ReplyHead = Omit<Reply, "status" | "body">;

/** Adds the name of a request header to those that select a reply. */
export const addToVary = (vary: string | undefined, name: string): string =>
  vary === undefined ? name : `${vary}, ${name}`;

/**
 * A string has one byte per character (latin1): Node then sends head and body in one write.
 */
export type ReplyBody = string | Buffer;

export type Encoding = "br" | "gzip";

/** Compresses bytes outside the event loop, four at a time. */
export type Compress = (bytes: Buffer, encoding: Encoding) => Promise<Buffer>;

export interface CompressedForms {
  readonly compress: Compress;
  readonly bodies: Map<Encoding, ReplyBody | Promise<ReplyBody>>;
}

/** Tells whether the same request would get the same reply now. */
export interface Validity {
  readonly reader: Reader;
  readonly readSet: ReadSetCheck;
}

/** Minimum length of a body in bytes that is sent as a buffer. Below it, one string with the head is faster. */
const minBufferBytes = 8_192;

export const encodeText = (text: string): ReplyBody => shortenBody(Buffer.from(text));

/** Turns short bytes into a string. */
export const shortenBody = (bytes: Buffer): ReplyBody =>
  bytes.length < minBufferBytes ? bytes.toString("latin1") : bytes;

/** Turns a long latin1 string into bytes, because a socket takes twice as long for a string of many parts. */
export const encodeLongText = (latin1: string): ReplyBody =>
  latin1.length < minBufferBytes ? latin1 : Buffer.from(latin1, "latin1");

export const bodyBytes = (body: ReplyBody): Buffer =>
  typeof body === "string" ? Buffer.from(body, "latin1") : body;

/** Stands for no reply: the client has disconnected. Metrics count it with status 499. */
export const noReply: Reply = { status: 499, body: null };
