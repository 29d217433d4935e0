import { createReadStream } from "node:fs";
import { messageOf, VitrineError } from "../errors.ts";
import { decode } from "./decode.ts";
import { type EventMessage, toMessage } from "./envelope.ts";
import type { ShopEvent } from "./event.ts";
import { maxBodyBytes } from "./message-content.ts";
import type { Rejection } from "./rejection.ts";

/** The result for one line of an event file, counted from 1. Blank lines count and have no result. */
export type ValidatedLine =
  | {
      readonly line: number;
      /** Byte offset of the line in the file. */
      readonly start: number;
      readonly ok: true;
      /** Ready to append; its body is the original bytes of the line. */
      readonly message: EventMessage;
      readonly event: ShopEvent;
    }
  | { readonly line: number; readonly ok: false; readonly rejection: Rejection };

/** Chunks of a file, split at any byte. */
export type ByteStream = AsyncIterable<Uint8Array | string>;

/**
 * Reads the bytes of an event file.
 * @throws VitrineError `usage` when the file cannot be read
 */
export async function* readEventFile(path: string): ByteStream {
  try {
    yield* createReadStream(path);
  } catch (thrown) {
    throw new VitrineError("usage", `cannot read ${path}: ${messageOf(thrown)}`, "", thrown);
  }
}

/**
 * Validates NDJSON events line by line, as the projector decodes them. A byte order mark, CRLF, blank lines and a
 * last line without line end are accepted; at most the size limit of a line is buffered.
 * @param now time of the log that will store the events, in milliseconds since 1970
 */
export async function* validateNdjson(
  chunks: ByteStream,
  now: number,
): AsyncGenerator<ValidatedLine, void, undefined> {
  let line = 0;
  for await (const { bytes, start } of splitLines(chunks)) {
    line += 1;
    const body = line === 1 ? stripBom(bytes) : bytes;
    if (!isBlank(body)) yield validateLine({ line, start }, body, now);
  }
}

/** Reads again the line at a byte offset of an event file, without byte order mark and line end. */
export async function readLineAt(path: string, start: number): Promise<Buffer> {
  const chunks = createReadStream(path, { start, end: start + maxBufferedBytes });
  for await (const { bytes } of splitLines(chunks)) {
    return start === 0 ? stripBom(bytes) : bytes;
  }
  return Buffer.alloc(0);
}

function validateLine(
  { line, start }: { readonly line: number; readonly start: number },
  body: Buffer,
  now: number,
): ValidatedLine {
  const decoded = decode({ sequence: line, time: now, headers: {}, body });
  if (!decoded.ok) return { line, ...decoded };
  const { event } = decoded;
  return { line, start, ok: true, message: toMessage(event, body), event };
}

const newline = 10;
const carriageReturn = 13;
/** One byte over the limit, in addition to the carriage return, shows that a line is too long. */
const maxBufferedBytes = maxBodyBytes + 2;

interface Line {
  readonly bytes: Buffer;
  /** Byte offset in the file. */
  readonly start: number;
}

/** @param maxBytes bytes of a line that are kept; its end is left out when it is longer */
export async function* splitLines(
  chunks: ByteStream,
  maxBytes = maxBufferedBytes,
): AsyncGenerator<Line, void, undefined> {
  let buffered: Buffer[] = [];
  let size = 0;
  let lineStart = 0;
  let chunkStart = 0;
  for await (const chunk of chunks) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : toBuffer(chunk);
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      append(bytes.subarray(start, end));
      yield { bytes: takeLine(), start: lineStart };
      start = end + 1;
      lineStart = chunkStart + start;
    }
    append(bytes.subarray(start));
    chunkStart += bytes.length;
  }
  if (size > 0) yield { bytes: takeLine(), start: lineStart };

  function append(part: Buffer): void {
    const accepted = part.subarray(0, maxBytes - size);
    if (accepted.length > 0) buffered.push(accepted);
    size += accepted.length;
  }

  function takeLine(): Buffer {
    const line = Buffer.concat(buffered);
    buffered = [];
    size = 0;
    return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
  }
}

const toBuffer = (chunk: Uint8Array): Buffer =>
  Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);

const stripBom = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === 32 || byte === 9);
