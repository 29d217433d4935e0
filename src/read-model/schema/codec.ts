import { crc32 } from "node:zlib";
import { VitrineError } from "../../errors.ts";

/** Key of a row. Parts of a list are compared one after the other. */
export type Key = string | number | readonly (string | number)[];

const checksumBytes = 4;

/**
 * Encodes a row: CRC-32 of key and JSON bytes (little endian), then the JSON. The checksum covers the key, so that a
 * record under a wrong key is detected.
 */
export const encode = (key: Key, value: unknown): Buffer => {
  const text = JSON.stringify(value);
  const record = Buffer.allocUnsafe(checksumBytes + Buffer.byteLength(text));
  record.write(text, checksumBytes);
  return writeChecksum(key, record);
};

/** Encodes a row of a `bytes` table: CRC-32 of key and bytes (little endian), then the bytes. */
export const encodeBytes = (key: Key, bytes: Buffer): Buffer => {
  const record = Buffer.allocUnsafe(checksumBytes + bytes.length);
  bytes.copy(record, checksumBytes);
  return writeChecksum(key, record);
};

/** Encodes a row of a `set` table, whose record is the checksum of its key. */
export const encodeKeyOnlyRow = (key: Key): Buffer =>
  writeChecksum(key, Buffer.allocUnsafe(checksumBytes));

const writeChecksum = (key: Key, record: Buffer): Buffer => {
  record.writeUInt32LE(computeChecksum(key, record), 0);
  return record;
};

/**
 * Decodes the value of a stored row.
 * @throws `model_damaged` when the checksum does not match
 */
export const decode = (key: Key, record: Buffer, table: string): unknown =>
  JSON.parse(verify(key, record, table).toString("utf8", checksumBytes, record.length));

/**
 * Decodes the JSON text of a stored row as latin1: one character per byte of its UTF-8.
 * @throws `model_damaged` when the checksum does not match
 */
export const decodeText = (key: Key, record: Buffer, table: string): string =>
  verify(key, record, table).toString("latin1", checksumBytes, record.length);

/**
 * Returns the bytes of a stored row as a view of the record, valid as long as the record is.
 * @throws `model_damaged` when the checksum does not match
 */
export const decodeBytes = (key: Key, record: Buffer, table: string): Buffer =>
  bodyOf(verify(key, record, table));

const verify = (key: Key, record: Buffer, table: string): Buffer => {
  if (record.length < checksumBytes || computeChecksum(key, record) !== record.readUInt32LE(0))
    throw corruptRow(table);
  return record;
};

// Workaround for Node 24: `subarray` without an end ignores the `length` that lmdb sets on its shared buffer.
const bodyOf = (record: Buffer): Buffer => record.subarray(checksumBytes, record.length);

/** Computes the CRC-32 of a key and the body of a record, in JavaScript for a short one. */
const computeChecksum = (key: Key, record: Buffer): number => {
  const start = keyChecksum(key);
  if (record.length > maxShortBytes) return crc32(bodyOf(record), start);
  let crc = ~start;
  for (let at = checksumBytes; at < record.length; at += 1)
    crc = addByte(crc, record[at] as number);
  return ~crc >>> 0;
};

/** Length of a record up to which a view of its body and a call of zlib take longer than JavaScript. */
const maxShortBytes = 100;

/**
 * Verifies a row of a `set` table.
 * @throws `model_damaged` when the record is not the checksum of its key
 */
export const verifyKeyOnlyRow = (key: Key, record: Buffer, table: string): void => {
  // The checksum does not cover the record's length, which LMDB stores outside of the bytes.
  if (record.length !== checksumBytes || keyChecksum(key) !== record.readUInt32LE(0))
    throw corruptRow(table);
};

const corruptRow = (table: string): VitrineError =>
  new VitrineError(
    "model_damaged",
    `a record of the table "${table}" is damaged (its checksum does not match)`,
    "while Vitrine runs, it checks the file and rebuilds the model from the event log within seconds",
  );

const keyChecksum = (key: Key): number =>
  typeof key === "number"
    ? crc32OfDigits(`${key}`)
    : crc32(typeof key === "object" ? key.join("\0") : key);

/** Computes CRC-32 in JavaScript, because for such short text a call of zlib takes longer. */
const crc32OfDigits = (text: string): number => {
  let crc = -1;
  for (let at = 0; at < text.length; at += 1) crc = addByte(crc, text.charCodeAt(at));
  return ~crc >>> 0;
};

const addByte = (crc: number, byte: number): number =>
  (crcTable[(crc ^ byte) & 255] as number) ^ (crc >>> 8);

const crcTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/**
 * Converts a row to and from its stored JSON value. Rows with many short members are stored as arrays of values,
 * because member names would take most of the space.
 */
export interface RowEncoding<V> {
  encode(row: V): unknown;
  /** Decodes a value that `encode` made and JSON parsed. */
  decode(stored: unknown): V;
}

/**
 * Lists all members of an object in stored order, each with the encoding of its value, or null for none.
 * Only the last member may be absent from an object.
 */
type MemberEncodings<V> = {
  readonly [K in keyof V]-?: RowEncoding<NonNullable<V[K]>> | null;
};

/** Encodes objects as arrays of their values. A null value is stored as null and not encoded. */
export const encodeAsArray = <V extends object>(members: MemberEncodings<V>): RowEncoding<V> => {
  const columns = Object.entries(members) as [keyof V & string, RowEncoding<unknown> | null][];
  return {
    encode(row) {
      const values: unknown[] = [];
      for (const [name, encoding] of columns) {
        const value: unknown = row[name];
        if (value === undefined) break;
        values.push(encoding && value !== null ? encoding.encode(value) : value);
      }
      return values;
    },
    decode(stored) {
      const values = stored as readonly unknown[];
      const row: Record<string, unknown> = {};
      for (let at = 0; at < values.length; at += 1) {
        const [name, encoding] = columns[at] as (typeof columns)[number];
        const value = values[at];
        row[name] = encoding && value !== null ? encoding.decode(value) : value;
      }
      return row as V;
    },
  };
};

export const encodeList = <V>(encoding: RowEncoding<V>): RowEncoding<readonly V[]> => ({
  encode: (rows) => rows.map(encoding.encode),
  decode: (stored) => (stored as readonly unknown[]).map(encoding.decode),
});
