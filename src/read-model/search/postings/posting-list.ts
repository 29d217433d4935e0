import { idUpperBound, tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { seekPostingBlock } from "./block-boundary.ts";
import type { DocIds } from "./doc-ids.ts";
import { type Intersection, toIntersection } from "./intersection.ts";
import { type PackedList, packList } from "./packed-list.ts";
import { decodeBlock, decodeBlockInto, meanBlockSize, type PostingBlock } from "./posting-codec.ts";
import type { ListVersion, PostingListCache } from "./posting-list-cache.ts";
import { decodeForms, decodeHeader, type ListHeader } from "./posting-list-header.ts";
import { allocatePostings, findPayloads, type Postings } from "./postings.ts";

export interface PostingList extends ListVersion {
  /** Decodes the number of products by surface form of the term. */
  forms(): ReadonlyMap<string, number>;
  all(): Postings;
  /** Looks up the payload of each id; 0 for an id that is not in the list. */
  at(ids: DocIds): Uint32Array;
  /** Finds which of these ids are in the list. */
  intersect(ids: DocIds): Intersection;
}

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
  return {
    count: header.count,
    listHash: header.listHash,
    forms: () => decodeForms(header, listKey),
    ...(header.isSingleBlock
      ? openSingleBlock(header)
      : openBlocks(stored, cache, listKey, header)),
  };
};

type ListReads = Pick<PostingList, "all" | "at" | "intersect">;

/** Opens a list whose postings are all in its header. It is not cached, because decoding costs little. */
const openSingleBlock = (header: ListHeader): ListReads => {
  const all = (): Postings => {
    const postings = allocatePostings(header.count, header.lastId);
    decodeBlockInto(header.lastBlock, postings, 0);
    return postings;
  };
  return {
    all,
    at: (ids) => findPayloads(all(), ids),
    intersect: (ids) => toIntersection(findPayloads(all(), ids)),
  };
};

/**
 * Ids are looked up block by block while they are at most this share of the blocks; for more of them, reading the
 * complete list costs less.
 */
const maxProbeShare = 1 / 16;

const openBlocks = (
  stored: ReadTables,
  cache: PostingListCache,
  listKey: string,
  header: ListHeader,
): ListReads => {
  let cached = cache.get(listKey, header);
  const packed = (): PackedList => {
    if (cached) return cached;
    cached = packList(readAll(stored, listKey, header));
    cache.put(listKey, header, cached);
    return cached;
  };
  const maxProbes = (header.count / meanBlockSize) * maxProbeShare;
  const probe = (ids: DocIds): Uint32Array | undefined =>
    cached || ids.length > maxProbes ? undefined : probeBlocks(stored, listKey, header, ids);
  return {
    all: () => packed().all(),
    at: (ids) => probe(ids) ?? packed().at(ids),
    intersect(ids) {
      const payloads = probe(ids);
      return payloads ? toIntersection(payloads) : packed().intersect(ids);
    },
  };
};

const readAll = (stored: ReadTables, listKey: string, header: ListHeader): Postings => {
  const postings = allocatePostings(header.count, header.lastId);
  const range = { start: [listKey], end: [listKey, idUpperBound] } as const;
  let at = 0;
  for (const [, block] of stored.entries(tables.postingBlocks, range)) {
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
): Uint32Array => {
  const payloads = new Uint32Array(ids.length);
  let block: PostingBlock = { ids: [], payloads: [] };
  let blockKey = -1;
  for (let index = 0; index < ids.length; index += 1) {
    const id = ids[index] as number;
    if (blockKey === -1 || id > (block.ids.at(-1) ?? -1)) {
      const next =
        id >= header.lastBlockKey ? header.lastBlockKey : seekPostingBlock(stored, listKey, id);
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
