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
const mostWaiting = 64 * 1024 * 1024;

/**
 * Packs text for the clients that ask for it. An answer that must not be stored is sent as it is: it may hold a token,
 * and packing tells its length. So is one before which too much waits: it is counted with what clients leave unread.
 */
export const compress = (mostPacking = mostWaiting): Step => {
  let packing = 0;
  const packOne = async (bytes: Buffer, encoding: Encoding): Promise<Buffer> => {
    packing += bytes.length;
    try {
      return await pack[encoding](bytes);
    } finally {
      packing -= bytes.length;
    }
  };
  return async (ctx, next) => {
    await next();
    if (Buffer.isBuffer(ctx.body) && lasting.has(ctx.body)) tellShared(ctx.res);
    const encoding = encodingOf(ctx);
    if (!encoding) return;
    const { body } = ctx;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body as string);
    const packed = packedOf(bytes, encoding);
    if (!packed && packing > mostPacking) return setPlainEtag(ctx, encoding);
    setVariantEtag(ctx, encoding);
    ctx.set("Content-Encoding", encoding);
    ctx.body = await (packed ?? packOne(bytes, encoding));
  };
};

/**
 * How this answer will be packed for this client; undefined: not at all. Says in `Vary` when another client would get
 * it otherwise.
 */
export const encodingOf = (ctx: Context): Encoding | undefined => {
  if (!isPackable(ctx)) return undefined;
  ctx.vary("Accept-Encoding");
  const asked = ctx.get("Accept-Encoding");
  return asked === "" ? undefined : (chosen.memo(asked).encoding ?? undefined);
};

const isPackable = (ctx: Context): boolean => {
  const { body } = ctx;
  if (typeof body !== "string" && !Buffer.isBuffer(body)) return false;
  if (body.length < tiny || !text.test(ctx.response.type)) return false;
  return !ctx.res.hasHeader("Content-Encoding") && ctx.response.get("Cache-Control") !== "no-store";
};

const text = /^(?:text\/|image\/svg|application\/(?:json|xml|javascript|[\w.-]+\+(?:json|xml)$))/;

/** What clients ask for, in their words: there are few. */
const chosen = new LRUCache<string, { readonly encoding: Encoding | null }>({
  max: 100,
  memoMethod: (asked) => {
    const negotiator = new Negotiator({ headers: { "accept-encoding": asked } });
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
const setPlainEtag = (ctx: Context, encoding: Encoding): void => {
  const [etag, end] = [etagOf(ctx), `.${encoding}"`];
  if (etag.endsWith(end)) ctx.set("ETag", `${etag.slice(0, -end.length)}"`);
};

const gzip = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.gzip);
const brotli = promisify<zlib.InputType, zlib.BrotliOptions, Buffer>(zlib.brotliCompress);
const { BROTLI_PARAM_QUALITY: quality } = zlib.constants;

/** For an answer that is made once: fast before small. Both run outside the event loop. */
const pack: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => brotli(bytes, { params: { [quality]: 4 } }),
  gzip: (bytes) => gzip(bytes, { level: 4 }),
};

/** For bytes that are sent again and again. The best Brotli takes seconds for a megabyte, and saves little more. */
const packWell: typeof pack = {
  br: (bytes) => brotli(bytes, { params: { [quality]: 9 } }),
  gzip: (bytes) => gzip(bytes, { level: 9 }),
};

type Packed = { [E in Encoding]?: Promise<Buffer> };
const lasting = new WeakMap<Buffer, { readonly pack: typeof pack; readonly packed: Packed }>();

/**
 * Lets bytes that are sent more than once be packed only once, at the first request that asks.
 * @param how `soon` for those that do not last long
 */
export const packOnce = (bytes: Buffer, how: "well" | "soon" = "well"): void =>
  void lasting.set(bytes, { pack: how === "well" ? packWell : pack, packed: {} });

const packedOf = (bytes: Buffer, encoding: Encoding): Promise<Buffer> | undefined => {
  const known = lasting.get(bytes);
  if (!known) return undefined;
  const packed = known.packed[encoding] ?? known.pack[encoding](bytes);
  known.packed[encoding] = packed;
  // One that failed, for want of memory say, is tried again by whoever asks next.
  packed.catch(() => delete known.packed[encoding]);
  return packed;
};
