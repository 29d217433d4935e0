import { crc32 } from "node:zlib";
import type { LogRecord, NewMessage } from "../event-log.ts";

/**
 * Size of a record's fixed prefix. A record's bytes, numbers big-endian: CRC-32 of the rest (4) · time in
 * milliseconds (8, double) · length of subject (4) · length of headers (4) · subject · headers as JSON · body.
 */
const prefixBytes = 20;

/** @param time when the journal stored the message, in milliseconds since 1970 */
export function encodeRecord(message: NewMessage, time: number): Buffer {
  const subject = Buffer.from(message.subject);
  const headers = Buffer.from(JSON.stringify(toStoredHeaders(message)));
  const recordPrefix = Buffer.alloc(prefixBytes);
  recordPrefix.writeDoubleBE(time, 4);
  recordPrefix.writeUInt32BE(subject.length, 12);
  recordPrefix.writeUInt32BE(headers.length, 16);
  const record = Buffer.concat([recordPrefix, subject, headers, message.body]);
  record.writeUInt32BE(crc32(record.subarray(4)), 0);
  return record;
}

/** @returns undefined when the bytes do not match their checksum */
export function decodeRecord(sequence: number, bytes: Buffer): LogRecord | undefined {
  if (bytes.length < prefixBytes || bytes.readUInt32BE(0) !== crc32(bytes.subarray(4)))
    return undefined;
  const headersAt = prefixBytes + bytes.readUInt32BE(12);
  const bodyAt = headersAt + bytes.readUInt32BE(16);
  return {
    sequence,
    time: bytes.readDoubleBE(4),
    subject: bytes.toString("utf8", prefixBytes, headersAt),
    headers: JSON.parse(bytes.toString("utf8", headersAt, bodyAt)),
    body: bytes.subarray(bodyAt),
  };
}

/** Reads the subject without decoding the record. */
export const readRecordSubject = (bytes: Buffer): string =>
  bytes.length < prefixBytes
    ? ""
    : bytes.toString("utf8", prefixBytes, prefixBytes + bytes.readUInt32BE(12));

/** Converts headers as a broker stores them: lower-case names, and the message id among them. */
function toStoredHeaders({ id, headers }: NewMessage): Record<string, string> {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...Object.fromEntries(lower), "nats-msg-id": id };
}
