import { hashOf } from "../../../text/hash.ts";
import { startsRun } from "./block-boundary.ts";
import type { Postings } from "./postings.ts";
import { createWriter, readBytes } from "./varint.ts";

/**
 * What is known of a word in a product, in 15 bits: how much the product is about it (1 to 127), and where in the
 * product's name it first stands. It follows from the product alone, never from the rest of the catalogue.
 */
export type Payload = number;

/** Of an id in a list that only says that it is there. */
export const present: Payload = 1;

/** @param place of the word in the name and length of the name, each from 1; places past 15 are not told */
export const payloadOf = (impact: number, place = 0, nameLength = 0): Payload =>
  place === 0 || place > 15 ? impact : impact | (place << 7) | (Math.min(nameLength, 15) << 11);

export const impactOf = (payload: Payload): number => payload & 127;
/** From 1; 0 when the word is not in the name. */
export const placeOf = (payload: Payload): number => (payload >> 7) & 15;
/** Words of the name, 15 for more; only where the place is not 0. */
export const nameLengthOf = (payload: Payload): number => payload >> 11;

/** Ids in ascending order, each with its payload. */
export interface Run {
  readonly ids: number[];
  readonly payloads: Payload[];
}

/** Mean number of postings in a run. */
export const meanRun = 512;

/** Whether a run of postings starts at an id. */
export const startsPostings = (id: number): boolean => startsRun(id, meanRun);

/** What one posting adds to a fingerprint: 32 bits, and sums of them are cut to as many. */
export const fingerprintOf = (id: number, payload: Payload): number => hashOf(id, payload + 1);

const writer = createWriter();

export const encodeRun = ({ ids, payloads }: Run): Buffer => {
  let last = 0;
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] as number;
    writePosting(id - last, payloads[at] as number);
    last = id;
  }
  return writer.take();
};

const named = 0x80;

const writePosting = (distance: number, payload: Payload): void => {
  writer.integer(distance);
  const impact = payload & 127;
  const name = payload >> 7;
  writer.byte(name === 0 ? impact : impact | named);
  if (name !== 0) writer.byte(name);
};

/**
 * A run with more postings behind all it has.
 * @param bytes the run as it is stored
 * @param lastId the last id in it; 0 when it is empty
 * @param told id, payload before and payload after of each, one after the other; those from one place to another
 */
export const extendRun = (
  bytes: Buffer,
  lastId: number,
  told: readonly number[],
  from: number,
  to: number,
): Buffer => {
  writer.bytes(bytes);
  let last = lastId;
  for (let at = from; at < to; at += 3) {
    const id = told[at] as number;
    writePosting(id - last, told[at + 2] as number);
    last = id;
  }
  return writer.take();
};

export const decodeRun = (bytes: Buffer): Run => runFrom(readBytes(bytes));

const runFrom = (reader: ReturnType<typeof readBytes>): Run => {
  const ids: number[] = [];
  const payloads: Payload[] = [];
  let id = 0;
  while (!reader.done()) {
    id += reader.integer();
    const impact = reader.byte();
    ids.push(id);
    payloads.push(impact < named ? impact : (impact & 127) | (reader.byte() << 7));
  }
  return { ids, payloads };
};

/** Decodes a run behind what the arrays already hold; returns how many they hold then. */
export const appendRun = (bytes: Buffer, { ids, payloads }: Postings, from: number): number => {
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
    payloads[count] = impact < named ? impact : (impact & 127) | ((bytes[at++] as number) << 7);
    count += 1;
  }
  return count;
};
