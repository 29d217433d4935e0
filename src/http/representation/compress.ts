import { promisify } from "node:util";
import zlib from "node:zlib";
import type { Encoding } from "./encoding.ts";

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
