import { type Exchange, getHeader } from "../exchange.ts";
import { after, type Layer } from "../pipeline.ts";
import { bodyBytes, type Reply, shortenBody } from "../reply.ts";
import { compressFast, compressShared } from "./compress.ts";
import { type Encoding, negotiateEncoding } from "./encoding.ts";

/** Minimum length of a compressed body in bytes. Below it, compression saves no packet. */
const minCompressibleBytes = 1_024;

/** Default limit on the bytes that wait for compression in a process. Replies over it are sent as they are. */
const defaultMaxPendingBytes = 64 * 1024 * 1024;

/** Compresses replies for clients that accept it. */
export type Compressor = (exchange: Exchange, reply: Reply) => Reply | Promise<Reply>;

export const createCompressor = (maxPendingBytes = defaultMaxPendingBytes): Compressor => {
  let pendingBytes = 0;
  const compressOnce = async (bytes: Buffer, encoding: Encoding): Promise<Buffer> => {
    pendingBytes += bytes.length;
    try {
      return await compressFast(bytes, encoding);
    } finally {
      pendingBytes -= bytes.length;
    }
  };
  return (exchange, reply) => {
    if (!isCompressible(reply)) return reply;
    const varied = addVary(reply, "Accept-Encoding");
    const encoding = selectEncoding(exchange, reply);
    if (!encoding) return varied;
    const bytes = bodyBytes(reply.body);
    const shared = compressShared(bytes, encoding);
    if (!shared && pendingBytes > maxPendingBytes) return varied;
    return (shared ?? compressOnce(bytes, encoding)).then((compressed) => ({
      ...varied,
      body: shortenBody(compressed),
      headers: [...(reply.headers ?? []), "Content-Encoding", encoding],
      ...(reply.etag !== undefined && { etag: encodedEtag(reply.etag, encoding) }),
    }));
  };
};

/** @returns undefined when the reply is not compressed for this client */
export const selectEncoding = (exchange: Exchange, reply: Reply): Encoding | undefined =>
  isCompressible(reply) ? negotiateEncoding(getHeader(exchange, "accept-encoding")) : undefined;

/**
 * Adds the encoding to a strong ETag, because a strong ETag identifies exact bytes. The point is unambiguous:
 * `strongEtag` generates none.
 */
export const encodedEtag = (etag: string, encoding: Encoding | undefined): string =>
  encoding === undefined ? etag : `${etag.slice(0, -1)}.${encoding}"`;

/** Removes the encoding from an ETag. */
export const stripEncoding = (etag: string): string => etag.replace(/\.(?:br|gzip)"$/, '"');

/** Layer of routes without conditional requests. */
export const compression =
  (compress: Compressor): Layer =>
  (next) =>
  (exchange) =>
    after(next(exchange), (reply) => compress(exchange, reply));

/** Replies with `no-store` may hold a token, about which the compressed length would leak information. */
export const isCompressible = (reply: Reply): reply is Reply & { readonly body: string | Buffer } =>
  reply.body !== null &&
  reply.body.length >= minCompressibleBytes &&
  compressibleType.test(reply.type ?? "") &&
  reply.headers?.includes("no-store") !== true;

const compressibleType =
  /^(?:text\/|image\/svg|application\/(?:json|xml|javascript|[\w.-]+\+(?:json|xml)(?:;|$)))/;

export const addVary = (reply: Reply, name: string): Reply => ({
  ...reply,
  vary: reply.vary === undefined ? name : `${reply.vary}, ${name}`,
});
