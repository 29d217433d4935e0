import { tables } from "../../../read-model/schema/tables.ts";
import {
  firstBlock,
  seekPostingBlock,
} from "../../../read-model/search/postings/block-boundary.ts";
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
  // Most lists have a single block and no rows. A lookup of a row takes longer than a write.
  const listRows = openRows(stored, listKey);
  let rows = isSingleBlock ? noRows : listRows;
  const writeRow = (key: number, block: PostingBlock): void => {
    stored.put(tables.postingBlocks, [listKey, key], encodeBlock(block));
    rows = listRows;
  };
  const takeRow = (key: number): PostingBlock => {
    const block = rows.read(key);
    rows.remove(key);
    return block;
  };
  return {
    first: firstBlock,
    floor: (key) => (key >= lastBlockKey ? lastBlockKey : rows.below(key + 1)),
    below: (key) => rows.below(key),
    load: (key) => (key >= lastBlockKey ? (headerBlocks.get(key) ?? emptyBlock()) : rows.read(key)),
    save(key, block) {
      if (key >= lastBlockKey) headerBlocks.set(key, block);
      else writeRow(key, block);
    },
    remove(key) {
      if (key >= lastBlockKey) headerBlocks.delete(key);
      else rows.remove(key);
    },
    finish(count, listHash) {
      const keys = [...headerBlocks.keys()].sort((a, b) => a - b);
      const key = keys.pop() ?? rows.below(lastBlockKey);
      const block = headerBlocks.get(key) ?? takeRow(key);
      for (const blockKey of keys) writeRow(blockKey, headerBlocks.get(blockKey) as PostingBlock);
      return {
        count,
        listHash,
        lastBlockKey: key,
        lastId: block.ids.at(-1) ?? 0,
        lastBlock: encodeBlock(block),
        isSingleBlock: !rows.hasBefore(key),
      };
    },
  };
};

/** Rows of the blocks of a list before its last one. */
interface BlockRows {
  /** Finds the greatest key strictly before `key`; `firstBlock` when there is none. */
  below(key: number): number;
  hasBefore(key: number): boolean;
  /** Reads a block; an empty one when it has no row. */
  read(key: number): PostingBlock;
  remove(key: number): void;
}

/** The rows of a list that has none. Nothing is looked up. */
const noRows: BlockRows = {
  below: () => firstBlock,
  hasBefore: () => false,
  read: () => emptyBlock(),
  remove: () => undefined,
};

const openRows = (stored: WritableTables, listKey: string): BlockRows => ({
  below: (key) => seekPostingBlock(stored, listKey, key - 1),
  hasBefore(key) {
    const range = { start: [listKey], end: [listKey, key], limit: 1 } as const;
    return [...stored.keys(tables.postingBlocks, range)].length > 0;
  },
  read(key) {
    const record = stored.get(tables.postingBlocks, [listKey, key]);
    return record ? decodeBlock(record) : emptyBlock();
  },
  remove(key) {
    stored.remove(tables.postingBlocks, [listKey, key]);
  },
});

const emptyBlock = (): PostingBlock => ({ ids: [], payloads: [] });

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
  merge: mergeSorted,
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
