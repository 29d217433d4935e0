import { type Exchange, getHeader } from "../exchange.ts";
import { after, type Layer } from "../pipeline.ts";
import { bodyBytes, type CompressedForms, type Reply, shortenBody } from "../reply.ts";
import { type Compress, compressFast, compressWell } from "./compress.ts";
import { type Encoding, negotiateEncoding } from "./encoding.ts";

/** Minimum length of a compressed body in bytes. Below it, compression saves no packet. */
const minCompressibleBytes = 1_024;

/**
 * Minimum length of a body that is compressed although it is sent once. Measured: Brotli takes 1 ms of a processor for 40 KB, as
 * long as 20 replies take, and saves less than that on the way.
 */
const minSingleBytes = 262_144;

/** Default limit on the bytes that wait for compression in a process. Replies over it are sent as they are. */
const defaultMaxPendingBytes = 64 * 1024 * 1024;

/** @param compress `compressFast` for a body that is soon replaced */
export const createForms = (compress: Compress = compressWell): CompressedForms => ({
  compress,
  replies: new Map(),
});

/** Compresses, for clients that accept it, the replies that are sent more than once, and very large ones. */
export const createCompression = (maxPendingBytes = defaultMaxPendingBytes): Layer => {
  let pendingBytes = 0;
  const compress = async (
    reply: Compressible,
    encoding: Encoding,
    by: Compress,
  ): Promise<Reply> => {
    const bytes = bodyBytes(reply.body);
    pendingBytes += bytes.length;
    try {
      return encodeReply(reply, await by(bytes, encoding), encoding);
    } finally {
      pendingBytes -= bytes.length;
    }
  };
  const represent = (exchange: Exchange, reply: Reply): Reply | Promise<Reply> => {
    if (!isCompressible(reply)) return reply;
    const { forms, body } = reply;
    const encoding = negotiateEncoding(getHeader(exchange, "accept-encoding"));
    if (!encoding || (!forms && body.length < minSingleBytes)) return addEncodingVary(reply);
    const existing = forms?.replies.get(encoding);
    if (existing) return existing;
    if (pendingBytes > maxPendingBytes) return addEncodingVary(reply);
    const compressed = compress(reply, encoding, forms?.compress ?? compressFast);
    if (forms) keepForm(forms, encoding, compressed);
    return compressed;
  };
  return (next) => (exchange) => after(next(exchange), (reply) => represent(exchange, reply));
};

/** Keeps a compressed form. A failed compression, for example for lack of memory, is retried at the next request. */
const keepForm = ({ replies }: CompressedForms, encoding: Encoding, form: Promise<Reply>): void => {
  replies.set(encoding, form);
  form.then(
    (reply) => replies.set(encoding, reply),
    () => replies.delete(encoding),
  );
};

type Compressible = Reply & { readonly body: string | Buffer };

const encodeReply = (reply: Compressible, bytes: Buffer, encoding: Encoding): Reply => ({
  ...addEncodingVary(reply),
  body: shortenBody(bytes),
  headers: [...(reply.headers ?? []), "Content-Encoding", encoding],
  ...(reply.etag !== undefined && { etag: encodedEtag(reply.etag, encoding) }),
});

/**
 * Adds the encoding to a strong ETag, because a strong ETag identifies exact bytes. The point is unambiguous:
 * `strongEtag` generates none.
 */
const encodedEtag = (etag: string, encoding: Encoding): string =>
  `${etag.slice(0, -1)}.${encoding}"`;

/** Removes the encoding from an ETag. */
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
  vary: reply.vary === undefined ? "Accept-Encoding" : `${reply.vary}, Accept-Encoding`,
});
