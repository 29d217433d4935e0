import { promisify } from "node:util";
import zlib from "node:zlib";
import type { Encoding } from "./encoding.ts";

const gzip = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.gzip);
const brotli = promisify<zlib.InputType, zlib.BrotliOptions, Buffer>(zlib.brotliCompress);
const { BROTLI_PARAM_QUALITY: quality } = zlib.constants;

/** Compresses bytes outside the event loop, four at a time. */
export type Compress = (bytes: Buffer, encoding: Encoding) => Promise<Buffer>;

/** For bytes that are sent once, at levels chosen for speed. */
export const compressFast: Compress = (bytes, encoding) =>
  encoding === "br" ? brotli(bytes, { params: { [quality]: 4 } }) : gzip(bytes, { level: 4 });

/** For bytes that are sent repeatedly. Brotli's maximum takes seconds per megabyte and saves little more. */
export const compressWell: Compress = (bytes, encoding) =>
  encoding === "br" ? brotli(bytes, { params: { [quality]: 9 } }) : gzip(bytes, { level: 9 });

interface SharedBytes {
  readonly compress: Compress;
  readonly variants: Map<Encoding, Promise<Buffer>>;
}

const shared = new WeakMap<Buffer, SharedBytes>();
/** The compressed forms, which are shared by all clients too. */
const sharedVariants = new WeakSet<Buffer>();

/**
 * Registers bytes that are sent more than once, so that each encoding is compressed only once, at its first
 * request.
 * @param compress `compressFast` for bytes that are soon replaced
 */
export const share = (bytes: Buffer, compress: Compress = compressWell): Buffer => {
  shared.set(bytes, { compress, variants: new Map() });
  return bytes;
};

/** Tests for bytes that take no memory of their own in each response. */
export const isShared = (bytes: Buffer): boolean => shared.has(bytes) || sharedVariants.has(bytes);

/** Compresses registered bytes once. @returns undefined for other bytes */
export const compressShared = (bytes: Buffer, encoding: Encoding): Promise<Buffer> | undefined => {
  const entry = shared.get(bytes);
  if (!entry) return undefined;
  const { compress, variants } = entry;
  const existing = variants.get(encoding);
  if (existing) return existing;
  const compressed = compress(bytes, encoding);
  variants.set(encoding, compressed);
  compressed.then(
    (variant) => sharedVariants.add(variant),
    // A failed compression, for example for lack of memory, is retried at the next request.
    () => variants.delete(encoding),
  );
  return compressed;
};
