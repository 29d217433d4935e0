import { idUpperBound, tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { firstBlock } from "./block-boundary.ts";
import type { DocIds } from "./doc-ids.ts";
import { type Intersection, toIntersection } from "./intersection.ts";
import { type PackedList, packList } from "./packed-list.ts";
import { decodeBlock, decodeBlockInto, meanBlockSize } from "./posting-codec.ts";
import type { ListVersion, PostingListCache } from "./posting-list-cache.ts";
import { decodeForms, decodeHeader, type ListHeader } from "./posting-list-header.ts";
import { allocatePostings, findPayloads, type Postings } from "./postings.ts";

/** A posting list of one snapshot. */
export interface PostingList extends ListVersion {
  /** Decodes the number of products by surface form of the term. */
  forms(): ReadonlyMap<string, number>;
  /** Reads the whole list. */
  all(): Postings;
  /** Looks up the payload of each id; 0 for an id that is not in the list. */
  at(ids: DocIds): Uint16Array;
  /** Finds which of these ids are in the list. */
  intersect(ids: DocIds): Intersection;
  /** Reads the whole list in packed form. */
  packed(): PackedList;
}

/**
 * Ids are looked up block by block while they are at most this share of the blocks; for more of them, reading the
 * whole list costs less.
 */
const maxProbeShare = 1 / 16;

/**
 * Opens a posting list.
 * @returns undefined when no product is in it
 */
export const openPostingList = (
  stored: ReadTables,
  cache: PostingListCache,
  listKey: string,
): PostingList | undefined => {
  const record = stored.get(tables.postingLists, listKey);
  if (!record) return undefined;
  // Copied, because LMDB reuses the record's buffer at the next read.
  const header = decodeHeader(Buffer.from(record));
  const { count, listHash, isSingleBlock } = header;
  const version: ListVersion = { count, listHash };
  let cached = isSingleBlock ? undefined : cache.get(listKey, version);
  const read = (): Postings => readAll(stored, listKey, header);
  const packed = (): PackedList => {
    if (cached) return cached;
    cached = packList(read());
    if (!isSingleBlock) cache.put(listKey, version, cached);
    return cached;
  };
  /**
   * Looks up ids without packing the list.
   * @returns undefined when packing costs less
   */
  const probeUnpacked = (ids: DocIds): Uint16Array | undefined => {
    if (isSingleBlock) return findPayloads(read(), ids);
    const isCheap = !cached && ids.length <= (count / meanBlockSize) * maxProbeShare;
    return isCheap ? probeBlocks(stored, listKey, header, ids) : undefined;
  };
  return {
    ...version,
    forms: () => decodeForms(header, listKey),
    packed,
    all: () => (isSingleBlock ? read() : packed().all()),
    at: (ids) => probeUnpacked(ids) ?? packed().at(ids),
    intersect(ids) {
      const payloads = probeUnpacked(ids);
      return payloads ? toIntersection(payloads) : packed().intersect(ids);
    },
  };
};

const readAll = (stored: ReadTables, listKey: string, header: ListHeader): Postings => {
  const postings = allocatePostings(header.count, header.lastId);
  let at = 0;
  if (!header.isSingleBlock) {
    const range = { start: [listKey], end: [listKey, idUpperBound] };
    for (const [, block] of stored.entries(tables.postingBlocks, range))
      at = decodeBlockInto(block, postings, at);
  }
  decodeBlockInto(header.lastBlock, postings, at);
  return postings;
};

/** Reads only the blocks that may hold a requested id. */
const probeBlocks = (
  stored: ReadTables,
  listKey: string,
  header: ListHeader,
  ids: DocIds,
): Uint16Array => {
  const payloads = new Uint16Array(ids.length);
  let block = { ids: [] as number[], payloads: [] as number[] };
  let blockKey = -1;
  for (let index = 0; index < ids.length; index += 1) {
    const id = ids[index] as number;
    if (blockKey === -1 || id > (block.ids.at(-1) ?? -1)) {
      const next =
        id >= header.lastBlockKey ? header.lastBlockKey : findBlockKey(stored, listKey, id);
      if (next !== blockKey) block = readBlock(stored, listKey, header, next) ?? block;
      blockKey = next;
    }
    const at = block.ids.indexOf(id);
    if (at !== -1) payloads[index] = block.payloads[at] as number;
  }
  return payloads;
};

const readBlock = (
  stored: ReadTables,
  listKey: string,
  { lastBlockKey, lastBlock }: ListHeader,
  key: number,
) => {
  const record =
    key === lastBlockKey ? lastBlock : stored.get(tables.postingBlocks, [listKey, key]);
  return record && decodeBlock(record);
};

const findBlockKey = (stored: ReadTables, listKey: string, id: number): number => {
  const range = { start: [listKey, id], end: [listKey], reverse: true, limit: 1 };
  for (const [, key] of stored.keys(tables.postingBlocks, range)) return key;
  return firstBlock;
};
