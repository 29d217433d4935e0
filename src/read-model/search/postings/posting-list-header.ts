import { firstRun } from "./block-boundary.ts";
import { decodeRun, fingerprintOf, startsPostings } from "./posting-codec.ts";
import { createWriter, readBytes } from "./varint.ts";

/**
 * Fields of a list's header, without its surface forms. Always create them in this sequence.
 * Measured: another sequence gives V8 another hidden class and deoptimises `appendPostings`, 25 % of a first load on
 * Node 24.
 */
export interface HeaderFields {
  /** Number of products in the list. */
  readonly count: number;
  /** Hash of all postings, 32 bits: equal for equal lists. */
  readonly fingerprint: number;
  /**
   * Key of the last block, which is stored in the header; 0 when it is the first block. Earlier blocks have rows of
   * their own.
   */
  readonly lastRun: number;
  /** Greatest id in the list. */
  readonly lastId: number;
  /**
   * Encoded last block, a view of the row's buffer. It is in the header because a list grows at its end, and most
   * lists have no other block.
   */
  readonly tail: Buffer;
  /** Whether the last block is the whole list. */
  readonly isWhole: boolean;
}

/** Header row of a posting list. */
export interface Head extends HeaderFields {
  /** Encoded surface forms of the term, a view of the row's buffer. */
  readonly spelled: Buffer;
}

/** Number of products by surface form, sorted by form; empty for a list that is not of a term. */
export type Forms = ReadonlyMap<string, number>;

/** Up to this many postings, the header omits the fields that follow from the postings. */
const maxShortPostings = 24;

const writer = createWriter();

/**
 * Encodes a header and the surface forms.
 * @param listKey a form that equals the term of this key is not written again
 */
export const encodeHead = (header: HeaderFields, forms: Forms, listKey: string): Buffer => {
  const {
    count,
    fingerprint: listHash,
    lastRun: lastBlockKey,
    lastId,
    tail: lastBlock,
    isWhole: isSingleBlock,
  } = header;
  const isShort = isSingleBlock && count <= maxShortPostings;
  writer.integer(isShort ? 0 : count);
  if (!isShort) {
    for (const value of [listHash, lastBlockKey, lastId, Number(isSingleBlock)])
      writer.integer(value);
  }
  writer.integer(lastBlock.length);
  writer.bytes(lastBlock);
  const term = listKey.slice(1);
  for (const [form, products] of forms) {
    writer.text(form === term ? "" : form);
    writer.integer(products);
  }
  return writer.take();
};

export const decodeHead = (bytes: Buffer): Head => {
  const reader = readBytes(bytes);
  const count = reader.integer();
  if (count === 0) return decodeShortHeader(reader.bytes(reader.integer()), reader.rest());
  const [listHash, lastBlockKey, lastId] = [reader.integer(), reader.integer(), reader.integer()];
  const isSingleBlock = reader.integer() === 1;
  const lastBlock = reader.bytes(reader.integer());
  return {
    count,
    fingerprint: listHash,
    lastRun: lastBlockKey,
    lastId,
    tail: lastBlock,
    isWhole: isSingleBlock,
    spelled: reader.rest(),
  };
};

const decodeShortHeader = (lastBlock: Buffer, encodedForms: Buffer): Head => {
  const { ids, payloads } = decodeRun(lastBlock);
  let listHash = 0;
  for (const [at, id] of ids.entries()) {
    listHash = (listHash + fingerprintOf(id, payloads[at] as number)) >>> 0;
  }
  const [firstId = 0] = ids;
  const lastBlockKey = startsPostings(firstId) ? firstId : firstRun;
  const lastId = ids.at(-1) ?? 0;
  return {
    count: ids.length,
    fingerprint: listHash,
    lastRun: lastBlockKey,
    lastId,
    tail: lastBlock,
    isWhole: true,
    spelled: encodedForms,
  };
};

const emptyBuffer = Buffer.alloc(0);

/** Header of a list without products. */
export const emptyHead: Head = {
  count: 0,
  fingerprint: 0,
  lastRun: firstRun,
  lastId: 0,
  tail: emptyBuffer,
  isWhole: true,
  spelled: emptyBuffer,
};

export const formsOf = ({ spelled: encodedForms }: Head, listKey: string): Map<string, number> => {
  const reader = readBytes(encodedForms);
  const forms = new Map<string, number>();
  while (!reader.done()) forms.set(reader.text() || listKey.slice(1), reader.integer());
  return forms;
};
