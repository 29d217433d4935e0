import { firstRun } from "./block-boundary.ts";
import { decodeRun, fingerprintOf, startsPostings } from "./posting-codec.ts";
import { createWriter, readBytes } from "./varint.ts";

/**
 * The row a list begins with. Wherever one is made its members come in this order: to V8 another order is another kind
 * of thing, and Node 24 gave up `grow`, as it had compiled it, at each new list, a quarter of a first load.
 */
export interface Head {
  /** Products in the list. */
  readonly count: number;
  /** Changes with any posting, and is the same for the same postings; 32 bits. */
  readonly fingerprint: number;
  /** Key of the last run, which stands in the head; 0 where it is the first one. Those before it have rows. */
  readonly lastRun: number;
  /** The greatest id in the list. */
  readonly lastId: number;
  /** The last run, lent as the row is: a list grows at its end, and most are so short that they are nothing else. */
  readonly tail: Buffer;
  /** Whether the tail is the whole list. */
  readonly isWhole: boolean;
  /** Spellings of the word as they are stored, lent as well. */
  readonly spelled: Buffer;
}

/** Products that have a spelling, by the spelling; empty for a list that is no word. In the order of the texts. */
export type Forms = ReadonlyMap<string, number>;

/** Postings of a list that tells nothing that follows from them. */
const fewPostings = 24;

const writer = createWriter();

/** @param list its name: a spelling that is the word itself is not written again */
export const encodeHead = (head: Omit<Head, "spelled">, forms: Forms, list: string): Buffer => {
  const { count, fingerprint, lastRun, lastId, tail, isWhole } = head;
  const isShort = isWhole && count <= fewPostings;
  writer.integer(isShort ? 0 : count);
  if (!isShort) {
    for (const value of [fingerprint, lastRun, lastId, Number(isWhole)]) writer.integer(value);
  }
  writer.integer(tail.length);
  writer.bytes(tail);
  const word = list.slice(1);
  for (const [written, products] of forms) {
    writer.text(written === word ? "" : written);
    writer.integer(products);
  }
  return writer.take();
};

export const decodeHead = (bytes: Buffer): Head => {
  const reader = readBytes(bytes);
  const count = reader.integer();
  if (count === 0) return shortHead(reader.bytes(reader.integer()), reader.rest());
  const [fingerprint, lastRun, lastId] = [reader.integer(), reader.integer(), reader.integer()];
  const isWhole = reader.integer() === 1;
  const tail = reader.bytes(reader.integer());
  return { count, fingerprint, lastRun, lastId, tail, isWhole, spelled: reader.rest() };
};

const shortHead = (tail: Buffer, spelled: Buffer): Head => {
  const { ids, payloads } = decodeRun(tail);
  let fingerprint = 0;
  for (const [at, id] of ids.entries()) {
    fingerprint = (fingerprint + fingerprintOf(id, payloads[at] as number)) >>> 0;
  }
  const [firstId = 0] = ids;
  const lastRun = startsPostings(firstId) ? firstId : firstRun;
  const lastId = ids.at(-1) ?? 0;
  return { count: ids.length, fingerprint, lastRun, lastId, tail, isWhole: true, spelled };
};

const noBytes = Buffer.alloc(0);

/** Of a list without products. */
export const emptyHead: Head = {
  count: 0,
  fingerprint: 0,
  lastRun: firstRun,
  lastId: 0,
  tail: noBytes,
  isWhole: true,
  spelled: noBytes,
};

export const formsOf = ({ spelled }: Pick<Head, "spelled">, list: string): Map<string, number> => {
  const reader = readBytes(spelled);
  const forms = new Map<string, number>();
  while (!reader.done()) forms.set(reader.text() || list.slice(1), reader.integer());
  return forms;
};
