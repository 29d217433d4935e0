import { pastEveryId, tables } from "../../schema/tables.ts";
import type { Tables } from "../../store/store.ts";
import { firstRun } from "./block-boundary.ts";
import type { Ids } from "./doc-ids.ts";
import { type Matches, matchesOf, type Packed, pack } from "./packed-list.ts";
import { appendRun, decodeRun, meanRun } from "./posting-codec.ts";
import { decodeHead, formsOf, type Head } from "./posting-list-header.ts";
import { type Postings, payloadsAt, postingsUpTo } from "./postings.ts";

/** Version of a posting list: equal for equal contents. */
export interface Standing {
  readonly count: number;
  readonly fingerprint: number;
}

/** Caches posting lists. An entry is valid while its count and hash equal those of the stored header. */
export interface KeptLists {
  get(listKey: string, version: Standing): Packed | undefined;
  put(listKey: string, version: Standing, postings: Packed): void;
}

const maxCacheBytes = 30 * 2 ** 20;
/** A larger list is not cached, because it would evict too many others. */
const maxEntryBytes = maxCacheBytes / 4;

/**
 * Creates a cache that evicts the least recently used lists. Its memory has the same limit for any size of catalogue.
 */
export const keepLists = (): KeptLists => {
  const entries = new Map<string, { readonly version: Standing; readonly postings: Packed }>();
  let totalBytes = 0;
  const evict = (listKey: string): void => {
    const entry = entries.get(listKey);
    if (entry) totalBytes -= entry.postings.bytes;
    entries.delete(listKey);
  };
  return {
    get(listKey, { count, fingerprint: listHash }) {
      const entry = entries.get(listKey);
      if (!entry) return undefined;
      entries.delete(listKey);
      if (entry.version.count !== count || entry.version.fingerprint !== listHash) {
        totalBytes -= entry.postings.bytes;
        return undefined;
      }
      entries.set(listKey, entry);
      return entry.postings;
    },
    put(listKey, version, postings) {
      if (postings.bytes > maxEntryBytes) return;
      evict(listKey);
      totalBytes += postings.bytes;
      entries.set(listKey, { version, postings });
      for (const oldest of entries.keys()) {
        if (totalBytes <= maxCacheBytes) break;
        evict(oldest);
      }
    },
  };
};

/** A posting list of one snapshot. */
export interface List extends Standing {
  /** Decodes the number of products by surface form of the term. */
  forms(): ReadonlyMap<string, number>;
  /** Reads the whole list. */
  all(): Postings;
  /** Looks up the payload of each id; 0 for an id that is not in the list. */
  at(ids: Ids): Uint16Array;
  /** Finds which of these ids are in the list. */
  match(ids: Ids): Matches;
  /** Reads the whole list in packed form. */
  packed(): Packed;
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
export const openList = (stored: Tables, cache: KeptLists, listKey: string): List | undefined => {
  const record = stored.get(tables.lists, listKey);
  if (!record) return undefined;
  // Copied, because LMDB reuses the record's buffer at the next read.
  const header = decodeHead(Buffer.from(record));
  const { count, fingerprint: listHash, isWhole: isSingleBlock } = header;
  const version: Standing = { count, fingerprint: listHash };
  let cached = isSingleBlock ? undefined : cache.get(listKey, version);
  const read = (): Postings => readAll(stored, listKey, header);
  const packed = (): Packed => {
    if (cached) return cached;
    cached = pack(read());
    if (!isSingleBlock) cache.put(listKey, version, cached);
    return cached;
  };
  /**
   * Looks up ids without packing the list.
   * @returns undefined when packing costs less
   */
  const probeUnpacked = (ids: Ids): Uint16Array | undefined => {
    if (isSingleBlock) return payloadsAt(read(), ids);
    const isCheap = !cached && ids.length <= (count / meanRun) * maxProbeShare;
    return isCheap ? probeBlocks(stored, listKey, header, ids) : undefined;
  };
  return {
    ...version,
    forms: () => formsOf(header, listKey),
    packed,
    all: () => (isSingleBlock ? read() : packed().all()),
    at: (ids) => probeUnpacked(ids) ?? packed().at(ids),
    match(ids) {
      const payloads = probeUnpacked(ids);
      return payloads ? matchesOf(payloads) : packed().match(ids);
    },
  };
};

const readAll = (stored: Tables, listKey: string, header: Head): Postings => {
  const postings = postingsUpTo(header.count, header.lastId);
  let at = 0;
  if (!header.isWhole) {
    const range = { start: [listKey], end: [listKey, pastEveryId] };
    for (const [, block] of stored.entries(tables.runs, range)) at = appendRun(block, postings, at);
  }
  appendRun(header.tail, postings, at);
  return postings;
};

/** Reads only the blocks that may hold a requested id. */
const probeBlocks = (stored: Tables, listKey: string, header: Head, ids: Ids): Uint16Array => {
  const payloads = new Uint16Array(ids.length);
  let block = { ids: [] as number[], payloads: [] as number[] };
  let blockKey = -1;
  for (let index = 0; index < ids.length; index += 1) {
    const id = ids[index] as number;
    if (blockKey === -1 || id > (block.ids.at(-1) ?? -1)) {
      const next = id >= header.lastRun ? header.lastRun : findBlockKey(stored, listKey, id);
      if (next !== blockKey) block = readBlock(stored, listKey, header, next) ?? block;
      blockKey = next;
    }
    const at = block.ids.indexOf(id);
    if (at !== -1) payloads[index] = block.payloads[at] as number;
  }
  return payloads;
};

const readBlock = (
  stored: Tables,
  listKey: string,
  { lastRun: lastBlockKey, tail: lastBlock }: Head,
  key: number,
) => {
  const record = key === lastBlockKey ? lastBlock : stored.get(tables.runs, [listKey, key]);
  return record && decodeRun(record);
};

const findBlockKey = (stored: Tables, listKey: string, id: number): number => {
  const range = { start: [listKey, id], end: [listKey], reverse: true, limit: 1 };
  for (const [, key] of stored.keys(tables.runs, range)) return key;
  return firstRun;
};
