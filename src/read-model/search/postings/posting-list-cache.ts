import { LRUCache } from "lru-cache";
import type { PackedList } from "./packed-list.ts";

/** Version of a posting list: equal for equal contents. */
export interface ListVersion {
  readonly count: number;
  readonly listHash: number;
}

export type PostingListCache = ReturnType<typeof createPostingListCache>;

interface CacheEntry {
  readonly version: ListVersion;
  readonly list: PackedList;
}

const maxCacheBytes = 30 * 2 ** 20;
/** A larger list is not cached, because it would evict too many others. */
const maxEntryBytes = maxCacheBytes / 4;

/**
 * Creates a cache that evicts the least recently used lists. Its memory has the same limit for any size of catalogue. An entry is valid
 * while its count and hash equal those of the stored header.
 */
export const createPostingListCache = () => {
  const entries = new LRUCache<string, CacheEntry>({
    maxSize: maxCacheBytes,
    maxEntrySize: maxEntryBytes,
    sizeCalculation: ({ list }) => list.bytes,
  });
  return {
    get(listKey: string, { count, listHash }: ListVersion): PackedList | undefined {
      const entry = entries.get(listKey);
      if (entry?.version.count === count && entry.version.listHash === listHash) return entry.list;
      entries.delete(listKey);
      return undefined;
    },
    put: (listKey: string, { count, listHash }: ListVersion, list: PackedList): void =>
      void entries.set(listKey, { version: { count, listHash }, list }),
  };
};
