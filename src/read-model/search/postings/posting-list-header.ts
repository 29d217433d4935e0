import { firstBlock } from "./block-boundary.ts";
import { decodeBlock, hashPosting, isPostingBlockStart } from "./posting-codec.ts";
import { createByteReader, createByteWriter } from "./varint.ts";

/**
 * Fields of a list's header, without its surface forms. Always create them in this sequence.
 * Measured: another sequence gives V8 another hidden class and deoptimises `appendPostings`, 25 % of a first load on
 * Node 24.
 */
export interface HeaderFields {
  readonly count: number;
  /** Hash of all postings, 32 bits: equal for equal lists. */
  readonly listHash: number;
  /**
   * Key of the last block, which is stored in the header; 0 when it is the first block. Earlier blocks have rows of
   * their own.
   */
  readonly lastBlockKey: number;
  readonly lastId: number;
  /**
   * Encoded last block, a view of the row's buffer. It is in the header because a list grows at its end, and most
   * lists have no other block.
   */
  readonly lastBlock: Buffer;
  readonly isSingleBlock: boolean;
}

export interface ListHeader extends HeaderFields {
  /** Encoded surface forms of the term, a view of the row's buffer. */
  readonly encodedForms: Buffer;
}

/** Number of products by surface form, sorted by form; empty for a list that is not of a term. */
export type SurfaceForms = ReadonlyMap<string, number>;

/** Up to this many postings, the header omits the fields that follow from the postings. */
const maxShortPostings = 24;

const writer = createByteWriter();

/**
 * Encodes a header and the surface forms.
 * @param listKey a form that equals the term of this key is not written again
 */
export const encodeHeader = (
  header: HeaderFields,
  forms: SurfaceForms,
  listKey: string,
): Buffer => {
  const { count, listHash, lastBlockKey, lastId, lastBlock, isSingleBlock } = header;
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

export const decodeHeader = (bytes: Buffer): ListHeader => {
  const reader = createByteReader(bytes);
  const count = reader.integer();
  if (count === 0) return decodeShortHeader(reader.bytes(reader.integer()), reader.rest());
  const [listHash, lastBlockKey, lastId] = [reader.integer(), reader.integer(), reader.integer()];
  const isSingleBlock = reader.integer() === 1;
  const lastBlock = reader.bytes(reader.integer());
  return {
    count,
    listHash,
    lastBlockKey,
    lastId,
    lastBlock,
    isSingleBlock,
    encodedForms: reader.rest(),
  };
};

const decodeShortHeader = (lastBlock: Buffer, encodedForms: Buffer): ListHeader => {
  const { ids, payloads } = decodeBlock(lastBlock);
  let listHash = 0;
  for (const [at, id] of ids.entries()) {
    listHash = (listHash + hashPosting(id, payloads[at] as number)) >>> 0;
  }
  const [firstId = 0] = ids;
  const lastBlockKey = isPostingBlockStart(firstId) ? firstId : firstBlock;
  const lastId = ids.at(-1) ?? 0;
  return {
    count: ids.length,
    listHash,
    lastBlockKey,
    lastId,
    lastBlock,
    isSingleBlock: true,
    encodedForms,
  };
};

const emptyBuffer = Buffer.alloc(0);

export const emptyHeader: ListHeader = {
  count: 0,
  listHash: 0,
  lastBlockKey: firstBlock,
  lastId: 0,
  lastBlock: emptyBuffer,
  isSingleBlock: true,
  encodedForms: emptyBuffer,
};

export const decodeForms = ({ encodedForms }: ListHeader, listKey: string): Map<string, number> => {
  const reader = createByteReader(encodedForms);
  const forms = new Map<string, number>();
  while (!reader.done()) forms.set(reader.text() || listKey.slice(1), reader.integer());
  return forms;
};
