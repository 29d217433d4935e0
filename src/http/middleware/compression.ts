import { promisify } from "node:util";
import zlib from "node:zlib";
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";
import { tellShared } from "../connection/backpressure.ts";
import type { Context, Step } from "../context.ts";

/** Preferred first: Brotli is smaller. */
const encodings = ["br", "gzip"] as const;
export type Encoding = (typeof encodings)[number];

/** Bytes (or characters) below which the packed answer saves no packet. */
export const tiny = 1_024;

/** Bytes of answers that may wait to be packed, which is done four at a time. */
const defaultMaxPendingBytes = 64 * 1024 * 1024;

/**
 * Packs text for the clients that ask for it. An answer that must not be stored is sent as it is: it may hold a token,
 * and packing tells its length. So is one before which too much waits: it is counted with what clients leave unread.
 */
export const compress = (maxPendingBytes = defaultMaxPendingBytes): Step => {
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
    if (Buffer.isBuffer(ctx.body) && precompressed.has(ctx.body)) tellShared(ctx.res);
    const encoding = encodingOf(ctx);
    if (!encoding) return;
    const { body } = ctx;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body as string);
    const compressed = getPrecompressed(bytes, encoding);
    if (!compressed && pendingBytes > maxPendingBytes) return removeEncodingSuffix(ctx, encoding);
    setVariantEtag(ctx, encoding);
    ctx.set("Content-Encoding", encoding);
    ctx.body = await (compressed ?? compressOne(bytes, encoding));
  };
};

/**
 * How this answer will be packed for this client; undefined: not at all. Says in `Vary` when another client would get
 * it otherwise.
 */
export const encodingOf = (ctx: Context): Encoding | undefined => {
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
  if (body.length < tiny || !compressibleType.test(ctx.response.type)) return false;
  return !ctx.res.hasHeader("Content-Encoding") && ctx.response.get("Cache-Control") !== "no-store";
};

const compressibleType =
  /^(?:text\/|image\/svg|application\/(?:json|xml|javascript|[\w.-]+\+(?:json|xml)$))/;

/** What clients ask for, in their words: there are few. */
const encodingByHeader = new LRUCache<string, { readonly encoding: Encoding | null }>({
  max: 100,
  memoMethod: (acceptEncoding) => {
    const negotiator = new Negotiator({ headers: { "accept-encoding": acceptEncoding } });
    const best = negotiator.encoding([...encodings, "identity"], { preferred: [...encodings] });
    return { encoding: encodings.find((encoding) => encoding === best) ?? null };
  },
});

/** The ETag that will be sent; empty without one. Koa's own answer is undefined then, whatever its types say. */
export const etagOf = (ctx: Context): string =>
  ctx.res.hasHeader("ETag") ? ctx.response.get("ETag") : "";

/** A strong tag means the same bytes, so each encoding has its own. No tag has a point of its own (`strongEtag`). */
export const setVariantEtag = (ctx: Context, encoding: Encoding): void => {
  const etag = etagOf(ctx);
  if (etag.endsWith('"') && !etag.endsWith(`.${encoding}"`)) {
    ctx.set("ETag", `${etag.slice(0, -1)}.${encoding}"`);
  }
};

/** The tag of what is sent as it is after all. */
const removeEncodingSuffix = (ctx: Context, encoding: Encoding): void => {
  const [etag, suffix] = [etagOf(ctx), `.${encoding}"`];
  if (etag.endsWith(suffix)) ctx.set("ETag", `${etag.slice(0, -suffix.length)}"`);
};

const gzip = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.gzip);
const brotli = promisify<zlib.InputType, zlib.BrotliOptions, Buffer>(zlib.brotliCompress);
const { BROTLI_PARAM_QUALITY: quality } = zlib.constants;

/** For an answer that is made once: fast before small. Both run outside the event loop. */
const fastCompression: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => brotli(bytes, { params: { [quality]: 4 } }),
  gzip: (bytes) => gzip(bytes, { level: 4 }),
};

/** For bytes that are sent again and again. The best Brotli takes seconds for a megabyte, and saves little more. */
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
 * Lets bytes that are sent more than once be packed only once, at the first request that asks.
 * @param how `soon` for those that do not last long
 */
export const packOnce = (bytes: Buffer, level: "best" | "fast" = "best"): void =>
  void precompressed.set(bytes, {
    compression: level === "best" ? maxCompression : fastCompression,
    variants: {},
  });

const getPrecompressed = (bytes: Buffer, encoding: Encoding): Promise<Buffer> | undefined => {
  const entry = precompressed.get(bytes);
  if (!entry) return undefined;
  const compressed = entry.variants[encoding] ?? entry.compression[encoding](bytes);
  entry.variants[encoding] = compressed;
  // One that failed, for want of memory say, is tried again by whoever asks next.
  compressed.catch(() => delete entry.variants[encoding]);
  return compressed;
};
