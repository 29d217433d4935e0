import { crc32 } from "node:zlib";
import { VitrineError } from "../errors.ts";

const checksumBytes = 4;

/** A value as stored: CRC-32 of the JSON bytes (little endian), then the JSON. */
export const encode = (value: unknown): Buffer => {
  const text = JSON.stringify(value);
  const record = Buffer.allocUnsafe(checksumBytes + Buffer.byteLength(text));
  record.write(text, checksumBytes);
  return checked(record);
};

/** The same for bytes that are no JSON. */
export const encodeBytes = (bytes: Buffer): Buffer => {
  const record = Buffer.allocUnsafe(checksumBytes + bytes.length);
  bytes.copy(record, checksumBytes);
  return checked(record);
};

const checked = (record: Buffer): Buffer => {
  record.writeUInt32LE(crc32(record.subarray(checksumBytes)), 0);
  return record;
};

/** The value of a stored record. Throws `data_dir` when the checksum does not match: the file is damaged. */
export const decode = (record: Buffer, table: string): unknown =>
  JSON.parse(decodeBytes(record, table).toString("utf8"));

/** The JSON of a stored record, each byte of its UTF-8 as one character. Throws as `decode` does. */
export const decodeText = (record: Buffer, table: string): string =>
  decodeBytes(record, table).toString("latin1");

/** The bytes of a stored record, lent as the record is. Throws as `decode` does. */
export const decodeBytes = (record: Buffer, table: string): Buffer => {
  // lmdb lends one large buffer whose `length` it sets: on Node 24 `subarray` without an end ignores that.
  const body = record.subarray(checksumBytes, record.length);
  if (record.length < checksumBytes || crc32(body) !== record.readUInt32LE(0)) {
    throw new VitrineError(
      "data_dir",
      `a record of the table "${table}" is damaged (its checksum does not match)`,
      "stop Vitrine, move the generation away and start again: it is rebuilt from the event log",
    );
  }
  return body;
};
