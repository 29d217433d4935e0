import { promisify } from "node:util";
import zlib from "node:zlib";
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";

const gzip = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.gzip);
const brotli = promisify<zlib.InputType, zlib.BrotliOptions, Buffer>(zlib.brotliCompress);
const { BROTLI_PARAM_QUALITY: quality } = zlib.constants;

/** Compresses bytes outside the event loop, four at a time. */
export type Compress = (bytes: Buffer, encoding: Encoding) => Promise<Buffer>;

/** For bytes that are soon replaced, at levels chosen for speed. */
export const compressFast: Compress = (bytes, encoding) =>
  encoding === "br" ? brotli(bytes, { params: { [quality]: 4 } }) : gzip(bytes, { level: 4 });

/** For bytes that do not change. Brotli's maximum takes seconds per megabyte and saves little more. */
export const compressWell: Compress = (bytes, encoding) =>
  encoding === "br" ? brotli(bytes, { params: { [quality]: 9 } }) : gzip(bytes, { level: 9 });

/** Sorted by preference: Brotli is smaller. */
const encodings = ["br", "gzip"] as const;
export type Encoding = (typeof encodings)[number];

/** @returns undefined when the client accepts no encoding, or prefers none */
export const negotiateEncoding = (acceptEncoding: string): Encoding | undefined =>
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
