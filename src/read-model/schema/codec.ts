import { crc32 } from "node:zlib";
import { VitrineError } from "../../errors.ts";
import type { Key } from "./tables.ts";

const checksumBytes = 4;

/**
 * A row as stored: CRC-32 of its key and of the JSON bytes (little endian), then the JSON. The key counts, as a
 * record that moved to another key is as wrong as one that changed.
 */
export const encode = (key: Key, value: unknown): Buffer => {
  const text = JSON.stringify(value);
  const record = Buffer.allocUnsafe(checksumBytes + Buffer.byteLength(text));
  record.write(text, checksumBytes);
  return checked(key, record);
};

/** The same for bytes that are no JSON. */
export const encodeBytes = (key: Key, bytes: Buffer): Buffer => {
  const record = Buffer.allocUnsafe(checksumBytes + bytes.length);
  bytes.copy(record, checksumBytes);
  return checked(key, record);
};

/** A row of a table that is all key. */
export const encodeKey = (key: Key): Buffer => checked(key, Buffer.allocUnsafe(checksumBytes));

const checked = (key: Key, record: Buffer): Buffer => {
  record.writeUInt32LE(crc32(record.subarray(checksumBytes), sumOf(key)), 0);
  return record;
};

/** The value of a stored row. Throws `model_damaged` when the checksum does not match: the file is damaged. */
export const decode = (key: Key, record: Buffer, table: string): unknown =>
  JSON.parse(decodeBytes(key, record, table).toString("utf8"));

/** The JSON of a stored row, each byte of its UTF-8 as one character. Throws as `decode` does. */
export const decodeText = (key: Key, record: Buffer, table: string): string =>
  decodeBytes(key, record, table).toString("latin1");

/** The bytes of a stored row, lent as the record is. Throws as `decode` does. */
export const decodeBytes = (key: Key, record: Buffer, table: string): Buffer => {
  // lmdb lends one large buffer whose `length` it sets: on Node 24 `subarray` without an end ignores that.
  const body = record.subarray(checksumBytes, record.length);
  check(record, table, () => crc32(body, sumOf(key)));
  return body;
};

/** Throws `model_damaged` when a row that is all key is not the one that was written. */
export const checkKey = (key: Key, record: Buffer, table: string): void => {
  // The sum is all there is, and does not cover how long LMDB takes it to be.
  if (record.length > checksumBytes) throw damaged(table);
  check(record, table, () => sumOf(key));
};

const check = (record: Buffer, table: string, sum: () => number): void => {
  if (record.length < checksumBytes || sum() !== record.readUInt32LE(0)) throw damaged(table);
};

const damaged = (table: string): VitrineError =>
  new VitrineError(
    "model_damaged",
    `a record of the table "${table}" is damaged (its checksum does not match)`,
    "it is read through and made anew from the event log within seconds, while Vitrine runs",
  );

const sumOf = (key: Key): number =>
  typeof key === "number"
    ? sumOfDigits(`${key}`)
    : crc32(typeof key === "object" ? key.join("\0") : key);

/** Of a text so short that calling out for it takes longer; the same number. */
const sumOfDigits = (text: string): number => {
  let sum = -1;
  for (let at = 0; at < text.length; at += 1) {
    sum = (steps[(sum ^ text.charCodeAt(at)) & 255] as number) ^ (sum >>> 8);
  }
  return ~sum >>> 0;
};

/** CRC-32 of each byte. */
const steps = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});
