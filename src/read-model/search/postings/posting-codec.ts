import { hashInteger } from "../../../text/hash.ts";
import { isBlockStart } from "./block-boundary.ts";
import type { Payload } from "./payload.ts";
import type { Postings } from "./postings.ts";
import { type ByteReader, createByteReader, createByteWriter } from "./varint.ts";

/** A decoded block: ascending ids, each with its payload. */
export interface PostingBlock {
  readonly ids: number[];
  readonly payloads: Payload[];
}

export const meanBlockSize = 512;

export const isPostingBlockStart = (id: number): boolean => isBlockStart(id, meanBlockSize);

/** Hashes a posting to 32 bits. The hash of a list is the sum of these, cut to 32 bits. */
export const hashPosting = (id: number, payload: Payload): number => hashInteger(id, payload + 1);

const writer = createByteWriter();

export const encodeBlock = ({ ids, payloads }: PostingBlock): Buffer => {
  let last = 0;
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] as number;
    writePosting(id - last, payloads[at] as number);
    last = id;
  }
  return writer.take();
};

const nameFlag = 0x80;

const writePosting = (distance: number, payload: Payload): void => {
  writer.integer(distance);
  const impact = payload & 127;
  const name = payload >> 7;
  writer.byte(name === 0 ? impact : impact | nameFlag);
  if (name === 0) return;
  writer.byte(name & 255);
  writer.byte(name >> 8);
};

/**
 * Appends postings to an encoded block.
 * @param bytes the block as it is stored
 * @param lastId the last id in it; 0 when it is empty
 * @param postings triples of id, payload before and payload after; those between two indexes are appended
 */
export const appendToBlock = (
  bytes: Buffer,
  lastId: number,
  postings: readonly number[],
  from: number,
  to: number,
): Buffer => {
  writer.bytes(bytes);
  let last = lastId;
  for (let at = from; at < to; at += 3) {
    const id = postings[at] as number;
    writePosting(id - last, postings[at + 2] as number);
    last = id;
  }
  return writer.take();
};

const readNamePayload = (impact: number, reader: ByteReader): Payload => {
  const name = reader.byte() | (reader.byte() << 8);
  return (impact & 127) | (name << 7);
};

export const decodeBlock = (bytes: Buffer): PostingBlock => {
  const reader = createByteReader(bytes);
  const ids: number[] = [];
  const payloads: Payload[] = [];
  let id = 0;
  while (!reader.done()) {
    id += reader.integer();
    const impact = reader.byte();
    ids.push(id);
    payloads.push(impact < nameFlag ? impact : readNamePayload(impact, reader));
  }
  return { ids, payloads };
};

/**
 * Decodes a block into arrays, from an index on.
 * Measured: twice as fast as with a byte reader (Node 20), and lists of all sizes are read through it.
 * @returns the index after the last posting
 */
export const decodeBlockInto = (
  bytes: Buffer,
  { ids, payloads }: Postings,
  from: number,
): number => {
  const end = bytes.length;
  let at = 0;
  let id = 0;
  let count = from;
  while (at < end) {
    let byte = bytes[at++] as number;
    if (byte < 0x80) id += byte;
    else {
      let delta = byte & 0x7f;
      let unit = 128;
      do {
        byte = bytes[at++] as number;
        delta += (byte & 0x7f) * unit;
        unit *= 128;
      } while (byte >= 0x80);
      id += delta;
    }
    const impact = bytes[at++] as number;
    ids[count] = id;
    if (impact < nameFlag) payloads[count] = impact;
    else {
      const name = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
      payloads[count] = (impact & 127) | (name << 7);
      at += 2;
    }
    count += 1;
  }
  return count;
};
