import { promisify } from "node:util";
import zlib from "node:zlib";
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";
import { markShared } from "../connection/backpressure.ts";
import type { Context, Middleware } from "../context.ts";

/** Sorted by preference: Brotli is smaller. */
const encodings = ["br", "gzip"] as const;
export type Encoding = (typeof encodings)[number];

/** Minimum length of a compressed body in bytes or characters. Below it, compression saves no packet. */
export const minCompressibleBytes = 1_024;

/** Limit on the bytes that wait for compression, which runs four at a time. */
const defaultMaxPendingBytes = 64 * 1024 * 1024;

/**
 * Compresses text for clients that accept it. Responses with `no-store` are not compressed, because they may
 * hold a token and the compressed length would leak information about it. Responses over the limit of pending
 * bytes are sent uncompressed, and count toward the limit of unsent bytes.
 */
export const compress = (maxPendingBytes = defaultMaxPendingBytes): Middleware => {
  let pendingBytes = 0;
  const compressOne = async (bytes: Buffer, encoding: Encoding): Promise<Buffer> => {
    pendingBytes += bytes.length;
    try {
      return await fastCompression[encoding](bytes);
    } finally {
      pendingBytes -= bytes.length;
    }
  };
  return async (ctx, next) => {
    await next();
    if (Buffer.isBuffer(ctx.body) && precompressed.has(ctx.body)) markShared(ctx.res);
    const encoding = negotiateEncoding(ctx);
    if (!encoding) return;
    const { body } = ctx;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body as string);
    const compressed = getPrecompressed(bytes, encoding);
    if (!compressed && pendingBytes > maxPendingBytes) return removeEncodingSuffix(ctx, encoding);
    addEncodingSuffix(ctx, encoding);
    ctx.set("Content-Encoding", encoding);
    ctx.body = await (compressed ?? compressOne(bytes, encoding));
  };
};

/**
 * Selects the encoding of this response, and sets `Vary` when other clients could get another one.
 * @returns undefined when it is not compressed
 */
export const negotiateEncoding = (ctx: Context): Encoding | undefined => {
  if (!isCompressible(ctx)) return undefined;
  ctx.vary("Accept-Encoding");
  const acceptEncoding = ctx.get("Accept-Encoding");
  return acceptEncoding === ""
    ? undefined
    : (encodingByHeader.memo(acceptEncoding).encoding ?? undefined);
};

const isCompressible = (ctx: Context): boolean => {
  const { body } = ctx;
  if (typeof body !== "string" && !Buffer.isBuffer(body)) return false;
  if (body.length < minCompressibleBytes || !compressibleType.test(ctx.response.type)) return false;
  return !ctx.res.hasHeader("Content-Encoding") && ctx.response.get("Cache-Control") !== "no-store";
};

const compressibleType =
  /^(?:text\/|image\/svg|application\/(?:json|xml|javascript|[\w.-]+\+(?:json|xml)$))/;

/** Caches the choice by Accept-Encoding header, because clients send few different ones. */
const encodingByHeader = new LRUCache<string, { readonly encoding: Encoding | null }>({
  max: 100,
  memoMethod: (acceptEncoding) => {
    const negotiator = new Negotiator({ headers: { "accept-encoding": acceptEncoding } });
    const best = negotiator.encoding([...encodings, "identity"], { preferred: [...encodings] });
    return { encoding: encodings.find((encoding) => encoding === best) ?? null };
  },
});

/**
 * Reads the ETag of the response.
 * @returns "" when there is none; Koa's own `get` would return undefined, contrary to its types
 */
export const getEtag = (ctx: Context): string =>
  ctx.res.hasHeader("ETag") ? ctx.response.get("ETag") : "";

/**
 * Adds the encoding to a strong ETag, because a strong ETag identifies exact bytes. The point is unambiguous:
 * `strongEtag` generates none.
 */
export const addEncodingSuffix = (ctx: Context, encoding: Encoding): void => {
  const etag = getEtag(ctx);
  if (etag.endsWith('"') && !etag.endsWith(`.${encoding}"`)) {
    ctx.set("ETag", `${etag.slice(0, -1)}.${encoding}"`);
  }
};

/** Restores the ETag of a response that is sent uncompressed after all. */
const removeEncodingSuffix = (ctx: Context, encoding: Encoding): void => {
  const [etag, suffix] = [getEtag(ctx), `.${encoding}"`];
  if (etag.endsWith(suffix)) ctx.set("ETag", `${etag.slice(0, -suffix.length)}"`);
};

const gzip = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.gzip);
const brotli = promisify<zlib.InputType, zlib.BrotliOptions, Buffer>(zlib.brotliCompress);
const { BROTLI_PARAM_QUALITY: quality } = zlib.constants;

/** Levels for a response that is sent once, chosen for speed. Both run outside the event loop. */
const fastCompression: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => brotli(bytes, { params: { [quality]: 4 } }),
  gzip: (bytes) => gzip(bytes, { level: 4 }),
};

/**
 * Levels for bytes that are sent repeatedly. Brotli's maximum takes seconds per megabyte and saves little more.
 */
const maxCompression: typeof fastCompression = {
  br: (bytes) => brotli(bytes, { params: { [quality]: 9 } }),
  gzip: (bytes) => gzip(bytes, { level: 9 }),
};

type CompressedVariants = { [E in Encoding]?: Promise<Buffer> };
const precompressed = new WeakMap<
  Buffer,
  { readonly compression: typeof fastCompression; readonly variants: CompressedVariants }
>();

/**
 * Registers bytes that are sent more than once, so that each encoding is compressed only once, at its first
 * request.
 * @param level `fast` for bytes that are soon replaced
 */
export const precompress = (bytes: Buffer, level: "best" | "fast" = "best"): void =>
  void precompressed.set(bytes, {
    compression: level === "best" ? maxCompression : fastCompression,
    variants: {},
  });

const getPrecompressed = (bytes: Buffer, encoding: Encoding): Promise<Buffer> | undefined => {
  const entry = precompressed.get(bytes);
  if (!entry) return undefined;
  const compressed = entry.variants[encoding] ?? entry.compression[encoding](bytes);
  entry.variants[encoding] = compressed;
  // A failed compression, for example for lack of memory, is retried at the next request.
  compressed.catch(() => delete entry.variants[encoding]);
  return compressed;
};
