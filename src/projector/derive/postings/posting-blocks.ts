import { tables } from "../../../read-model/schema/tables.ts";
import { firstBlock } from "../../../read-model/search/postings/block-boundary.ts";
import type { Payload } from "../../../read-model/search/postings/payload.ts";
import {
  decodeBlock,
  encodeBlock,
  hashPosting,
  isPostingBlockStart,
  type PostingBlock,
} from "../../../read-model/search/postings/posting-codec.ts";
import type {
  HeaderFields,
  ListHeader,
} from "../../../read-model/search/postings/posting-list-header.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import { type BlockFormat, type BlockStore, rewriteBlocks } from "../block-rewrite.ts";

/** Payload of one product in a list, before and after a batch; 0 when it is not in the list. */
export interface PostingChange {
  readonly id: number;
  readonly before: Payload;
  readonly after: Payload;
}

/**
 * Writes ascending changes into the blocks of a list.
 * @returns the new header
 */
export const rewritePostings = (
  stored: WritableTables,
  listKey: string,
  header: ListHeader,
  postings: readonly PostingChange[],
): HeaderFields => {
  let { count, listHash } = header;
  for (const { id, before, after } of postings) {
    count += Number(after !== 0) - Number(before !== 0);
    if (before !== 0) listHash = (listHash - hashPosting(id, before)) >>> 0;
    if (after !== 0) listHash = (listHash + hashPosting(id, after)) >>> 0;
  }
  const rows = createBlockStore(stored, listKey, header);
  rewriteBlocks(rows, postingFormat, postings);
  return rows.finish(count, listHash);
};

/** Stores the blocks of a list in rows of their own, and the last one in the header. */
const createBlockStore = (
  stored: WritableTables,
  listKey: string,
  { lastBlockKey, lastBlock, isSingleBlock }: ListHeader,
): BlockStore<number, PostingBlock> & { finish(count: number, listHash: number): HeaderFields } => {
  /** Blocks from the stored last one on, by key. Others may start there, and the last one may become empty. */
  const headerBlocks = new Map<number, PostingBlock>(
    lastBlock.length > 0 ? [[lastBlockKey, decodeBlock(lastBlock)]] : [],
  );
  /**
   * Whether no block has a row, so that none is looked up: most lists are so, and a lookup takes longer than a write.
   */
  let hasNoRows = isSingleBlock;
  const below = (key: number): number => {
    if (hasNoRows) return firstBlock;
    const range = { start: [listKey, key - 1], end: [listKey], reverse: true, limit: 1 } as const;
    for (const [, rowKey] of stored.keys(tables.postingBlocks, range)) return rowKey;
    return firstBlock;
  };
  const takeBlock = (key: number): PostingBlock => {
    if (hasNoRows) return emptyBlock();
    const block = readBlock(stored, listKey, key);
    stored.remove(tables.postingBlocks, [listKey, key]);
    return block;
  };
  const hasRowBefore = (key: number): boolean => {
    if (hasNoRows) return false;
    for (const _ of stored.keys(tables.postingBlocks, {
      start: [listKey],
      end: [listKey, key],
      limit: 1,
    })) {
      return true;
    }
    return false;
  };
  const writeRow = (key: number, block: PostingBlock): void => {
    stored.put(tables.postingBlocks, [listKey, key], encodeBlock(block));
    hasNoRows = false;
  };
  return {
    first: firstBlock,
    floor: (key) => (key >= lastBlockKey ? lastBlockKey : below(key + 1)),
    below,
    load(key) {
      if (key >= lastBlockKey) return headerBlocks.get(key) ?? emptyBlock();
      return hasNoRows ? emptyBlock() : readBlock(stored, listKey, key);
    },
    save(key, block) {
      if (key >= lastBlockKey) headerBlocks.set(key, block);
      else writeRow(key, block);
    },
    remove(key) {
      if (key >= lastBlockKey) headerBlocks.delete(key);
      else if (!hasNoRows) stored.remove(tables.postingBlocks, [listKey, key]);
    },
    finish(count, listHash) {
      const keys = [...headerBlocks.keys()].sort((a, b) => a - b);
      const key = keys.pop() ?? below(lastBlockKey);
      const block = headerBlocks.get(key) ?? takeBlock(key);
      for (const blockKey of keys) writeRow(blockKey, headerBlocks.get(blockKey) as PostingBlock);
      return {
        count,
        listHash,
        lastBlockKey: key,
        lastId: block.ids.at(-1) ?? 0,
        lastBlock: encodeBlock(block),
        isSingleBlock: !hasRowBefore(key),
      };
    },
  };
};

const emptyBlock = (): PostingBlock => ({ ids: [], payloads: [] });

const readBlock = (stored: WritableTables, listKey: string, key: number): PostingBlock => {
  const record = stored.get(tables.postingBlocks, [listKey, key]);
  return record ? decodeBlock(record) : emptyBlock();
};

/** Appends postings behind the last one of a block, which it changes. */
const appendAll = (block: PostingBlock, postings: readonly PostingChange[]): PostingBlock => {
  for (const { id, after } of postings) if (after !== 0) append(block, id, after);
  return block;
};

const mergeSorted = (
  { ids, payloads }: PostingBlock,
  postings: readonly PostingChange[],
): PostingBlock => {
  const merged = emptyBlock();
  let at = 0;
  const copyBelow = (end: number): void => {
    for (; at < ids.length && (ids[at] as number) < end; at += 1)
      append(merged, ids[at] as number, payloads[at] as number);
  };
  for (const { id, after } of postings) {
    copyBelow(id);
    if (ids[at] === id) at += 1;
    if (after !== 0) append(merged, id, after);
  }
  copyBelow(Number.POSITIVE_INFINITY);
  return merged;
};

const append = ({ ids, payloads }: PostingBlock, id: number, payload: Payload): void => {
  ids.push(id);
  payloads.push(payload);
};

const postingFormat: BlockFormat<number, PostingBlock, PostingChange> = {
  keyOf: ({ id }) => id,
  isRemoval: ({ after }) => after === 0,
  merge: (block, postings) => {
    const isAppend = (postings[0]?.id ?? Number.POSITIVE_INFINITY) > (block.ids.at(-1) ?? 0);
    return isAppend ? appendAll(block, postings) : mergeSorted(block, postings);
  },
  join: (one, other) => ({
    ids: [...one.ids, ...other.ids],
    payloads: [...one.payloads, ...other.payloads],
  }),
  cut: ({ ids, payloads }, from) => {
    const parts: (readonly [number, PostingBlock])[] = [];
    let begin = 0;
    for (let at = 1; at <= ids.length; at += 1) {
      if (at < ids.length && !isPostingBlockStart(ids[at] as number)) continue;
      const id = ids[begin] as number;
      const part = { ids: ids.slice(begin, at), payloads: payloads.slice(begin, at) };
      parts.push([isPostingBlockStart(id) ? id : from, part]);
      begin = at;
    }
    return parts;
  },
  startsWith: ({ ids }, key) => ids[0] === key,
  endOf: ({ ids }) => ids.at(-1),
};
