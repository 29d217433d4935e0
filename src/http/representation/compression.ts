import { promisify } from "node:util";
import zlib from "node:zlib";
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";
import { after, type Exchange, getHeader, type Layer } from "../exchange.ts";
import {
  addToVary,
  bodyBytes,
  type Compress,
  type CompressedForms,
  type Encoding,
  type Reply,
  type ReplyBody,
  shortenBody,
} from "../reply.ts";

/** Minimum length of a compressed body in bytes. Below it, compression saves no packet. */
const minCompressibleBytes = 1_024;

/**
 * Minimum length of a body that is compressed although it is sent once. Measured: Brotli takes 1.6 ms of a processor for 64 KB,
 * longer than such a reply takes to compute (test/bench/README.md).
 */
const minSingleBytes = 262_144;

/** Default limit on the bytes that wait for compression in a process. Replies over it are sent as they are. */
const defaultMaxPendingBytes = 64 * 1024 * 1024;

/** @param compress `compressFast` for a body that is soon replaced */
export const createForms = (compress: Compress = compressWell): CompressedForms => ({
  compress,
  bodies: new Map(),
});

/** Compresses, for clients that accept it, the replies that are sent more than once, and very large ones. */
export const createCompression = (maxPendingBytes = defaultMaxPendingBytes): Layer => {
  let pendingBytes = 0;
  /** Replies that are sent more than once, in the encodings in which they were sent. */
  const encodedReplies = new WeakMap<Reply, Map<Encoding, Reply>>();
  const keepEncoded = (reply: Reply, encoding: Encoding, encoded: Reply): Reply => {
    const kept = encodedReplies.get(reply) ?? new Map<Encoding, Reply>();
    encodedReplies.set(reply, kept.set(encoding, encoded));
    return encoded;
  };
  const compressBody = async (
    body: ReplyBody,
    encoding: Encoding,
    compress: Compress,
  ): Promise<ReplyBody> => {
    const bytes = bodyBytes(body);
    pendingBytes += bytes.length;
    try {
      return shortenBody(await compress(bytes, encoding));
    } finally {
      pendingBytes -= bytes.length;
    }
  };
  const represent = (exchange: Exchange, reply: Reply): Reply | Promise<Reply> => {
    if (!isCompressible(reply)) return reply;
    const encoding = selectEncoding(exchange, reply);
    if (!encoding) return addEncodingVary(reply);
    const encodedReply = encodedReplies.get(reply)?.get(encoding);
    if (encodedReply) return encodedReply;
    const { forms, body } = reply;
    const varied = addEncodingVary(reply);
    const encode = (encoded: ReplyBody): Reply =>
      keepEncoded(reply, encoding, encodeReply(varied, encoded, encoding));
    const existing = forms?.bodies.get(encoding);
    if (existing) return after(existing, encode);
    if (pendingBytes > maxPendingBytes) return varied;
    const compressed = compressBody(body, encoding, forms?.compress ?? compressFast);
    if (forms) keepForm(forms, encoding, compressed);
    return compressed.then(encode);
  };
  return (next) => (exchange) => after(next(exchange), (reply) => represent(exchange, reply));
};

/** Keeps a compressed body. A failed compression, for example for lack of memory, is retried at the next request. */
const keepForm = (
  { bodies }: CompressedForms,
  encoding: Encoding,
  body: Promise<ReplyBody>,
): void => {
  bodies.set(encoding, body);
  body.then(
    (encoded) => bodies.set(encoding, encoded),
    () => bodies.delete(encoding),
  );
};

/**
 * Keeps the compressed forms of the latest contents of a route, which many clients read. A route has a few at a time, such as its
 * HTML and its Markdown.
 */
export const keepForms = (): Layer => {
  const latest = new LRUCache<string, CompressedForms>({ max: 4 });
  return (next) => (exchange) =>
    after(next(exchange), (reply) => {
      const { status, etag, forms } = reply;
      if (status !== 200 || etag === undefined || forms) return reply;
      const kept = latest.get(etag) ?? createForms(compressFast);
      latest.set(etag, kept);
      return { ...reply, forms: kept };
    });
};

/** @returns undefined when the reply is not compressed for this client */
export const selectEncoding = (exchange: Exchange, reply: Reply): Encoding | undefined =>
  isCompressible(reply) && (reply.forms || reply.body.length >= minSingleBytes)
    ? negotiateEncoding(getHeader(exchange, "accept-encoding"))
    : undefined;

type Compressible = Reply & { readonly body: ReplyBody };

const encodeReply = (reply: Reply, body: ReplyBody, encoding: Encoding): Reply => ({
  ...reply,
  body,
  headers: [...(reply.headers ?? []), "Content-Encoding", encoding],
  ...(reply.etag !== undefined && { etag: encodedEtag(reply.etag, encoding) }),
});

/**
 * Adds the encoding to a strong ETag, because a strong ETag identifies exact bytes. The point is unambiguous:
 * `strongEtag` generates none.
 */
export const encodedEtag = (etag: string, encoding: Encoding | undefined): string =>
  encoding === undefined ? etag : `${etag.slice(0, -1)}.${encoding}"`;

export const stripEncoding = (etag: string): string => etag.replace(/\.(?:br|gzip)"$/, '"');

/** Replies with `no-store` may hold a token, about which the compressed length would leak information. */
export const isCompressible = (reply: Reply): reply is Compressible =>
  reply.body !== null &&
  reply.body.length >= minCompressibleBytes &&
  compressibleType.test(reply.type ?? "") &&
  reply.headers?.includes("no-store") !== true;

const compressibleType =
  /^(?:text\/|image\/svg|application\/(?:json|xml|javascript|[\w.-]+\+(?:json|xml)(?:;|$)))/;

/** Adds that the encodings of the client select the reply. */
export const addEncodingVary = (reply: Reply): Reply => ({
  ...reply,
  vary: addToVary(reply.vary, "Accept-Encoding"),
});

const gzip = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.gzip);
const brotli = promisify<zlib.InputType, zlib.BrotliOptions, Buffer>(zlib.brotliCompress);
const { BROTLI_PARAM_QUALITY: quality } = zlib.constants;

/** For bytes that are soon replaced, at levels chosen for speed. */
export const compressFast: Compress = (bytes, encoding) =>
  encoding === "br" ? brotli(bytes, { params: { [quality]: 4 } }) : gzip(bytes, { level: 4 });

/** For bytes that do not change. Brotli's maximum takes seconds per megabyte and saves little more. */
const compressWell: Compress = (bytes, encoding) =>
  encoding === "br" ? brotli(bytes, { params: { [quality]: 9 } }) : gzip(bytes, { level: 9 });

/** Sorted by preference: Brotli is smaller. */
const encodings: readonly Encoding[] = ["br", "gzip"];

/** @returns undefined when the client accepts no encoding, or prefers none */
const negotiateEncoding = (acceptEncoding: string): Encoding | undefined =>
  acceptEncoding === "" ? undefined : choices.memo(acceptEncoding).encoding;

/** Caches the choice by Accept-Encoding header, because clients send few different ones. */
const choices = new LRUCache<string, { readonly encoding: Encoding | undefined }>({
  max: 100,
  memoMethod: (acceptEncoding) => {
    const negotiator = new Negotiator({ headers: { "accept-encoding": acceptEncoding } });
    const best = negotiator.encoding([...encodings, "identity"], { preferred: [...encodings] });
    return { encoding: encodings.find((encoding) => encoding === best) };
  },
});
