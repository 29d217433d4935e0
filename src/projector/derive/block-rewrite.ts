import type { Table } from "../../read-model/schema/tables.ts";
import {
  firstBlock,
  isBlockStart,
  seekBlock,
} from "../../read-model/search/postings/block-boundary.ts";
import type { WritableTables } from "../../read-model/store/store.ts";

/** Stored blocks of one kind, by the key of their first entry. */
export interface BlockStore<K, R> {
  /** Key of the block that starts before all entries. */
  readonly first: K;
  /** Finds the greatest key of a stored block at or before `key`; `first` when there is none. */
  floor(key: K): K;
  /** Finds the greatest key of a stored block strictly before `key`; `first` when there is none. */
  below(key: K): K;
  /** Loads a block; an empty one when nothing is stored at the key. */
  load(key: K): R;
  save(key: K, block: R): void;
  remove(key: K): void;
}

export interface BlockFormat<K, R, C> {
  keyOf(change: C): K;
  isRemoval(change: C): boolean;
  merge(block: R, changes: readonly C[]): R;
  join(one: R, other: R): R;
  /**
   * Splits a block at each block start, into parts with their first keys; entries before the first start come under
   * `from`.
   */
  cut(block: R, from: K): readonly (readonly [K, R])[];
  startsWith(block: R, key: K): boolean;
  /**
   * Gets the key of the last entry.
   * @returns undefined when the block is empty
   */
  endOf(block: R): K | undefined;
}

/**
 * Applies changes, in ascending sequence of their keys, to the blocks they fall into; other blocks are not touched. A
 * block ends where the next begins, so one whose first entry is removed is joined to the block before it.
 */
export const rewriteBlocks = <K extends string | number, R, C>(
  store: BlockStore<K, R>,
  format: BlockFormat<K, R, C>,
  changes: readonly C[],
): void => {
  let pending: { readonly key: K; block: R } | undefined;
  const savePending = (): void => {
    if (pending) saveSplit(store, format, pending.key, pending.block);
    pending = undefined;
  };
  for (const { key, block: stored, blockChanges } of groupByBlock(store, format, changes)) {
    const block = format.merge(stored, blockChanges);
    const headless = key !== store.first && !format.startsWith(block, key);
    if (headless) store.remove(key);
    if (headless && pending) pending.block = format.join(pending.block, block);
    else {
      savePending();
      pending = { key, block };
    }
  }
  savePending();
};

/** A block as it is stored, and the changes that fall into it. */
interface BlockChanges<K, R, C> {
  readonly key: K;
  readonly block: R;
  readonly blockChanges: C[];
}

/** Groups changes by block, ascending. A block that loses its first entry brings the block before it along. */
const groupByBlock = <K extends string | number, R, C>(
  store: BlockStore<K, R>,
  format: BlockFormat<K, R, C>,
  changes: readonly C[],
): readonly BlockChanges<K, R, C>[] => {
  const groups: BlockChanges<K, R, C>[] = [];
  const getGroup = (key: K): BlockChanges<K, R, C> => {
    const lastGroup = groups.at(-1);
    if (lastGroup?.key === key) return lastGroup;
    const group: BlockChanges<K, R, C> = { key, block: store.load(key), blockChanges: [] };
    groups.push(group);
    return group;
  };
  /**
   * Finds the block of a change. A key up to the end of the last group's block is in that block, which saves an
   * expensive lookup.
   */
  const findBlock = (key: K): K => {
    const lastGroup = groups.at(-1);
    const lastKey = lastGroup && format.endOf(lastGroup.block);
    if (lastGroup && lastKey !== undefined && key <= lastKey) return lastGroup.key;
    return lastBlockKey !== undefined && key >= lastBlockKey ? lastBlockKey : store.floor(key);
  };
  // One lookup serves all changes in the last block, because a catalogue mostly grows at its end.
  const last = changes.at(-1);
  const lastBlockKey = last && store.floor(format.keyOf(last));
  for (const change of changes) {
    const key = format.keyOf(change);
    const blockKey = findBlock(key);
    if (blockKey === key && blockKey !== store.first && format.isRemoval(change))
      getGroup(store.below(blockKey));
    getGroup(blockKey).blockChanges.push(change);
  }
  return groups;
};

const saveSplit = <K, R, C>(
  store: BlockStore<K, R>,
  format: BlockFormat<K, R, C>,
  from: K,
  block: R,
): void => {
  const parts = format.cut(block, from);
  if (format.endOf(block) === undefined) store.remove(from);
  for (const [key, part] of parts) store.save(key, part);
  if (parts.length > 0 && parts[0]?.[0] !== from) store.remove(from);
};

/** Merges changes into sorted entries; `undefined` removes an entry. */
const mergeEntries = <K extends string | number, E>(
  entries: readonly E[],
  changes: readonly (readonly [K, E | undefined])[],
  keyOf: (entry: E) => K,
): E[] => {
  const merged: E[] = [];
  let at = 0;
  for (const [key, entry] of changes) {
    while (at < entries.length && keyOf(entries[at] as E) < key) merged.push(entries[at++] as E);
    if (at < entries.length && keyOf(entries[at] as E) === key) at += 1;
    if (entry !== undefined) merged.push(entry);
  }
  while (at < entries.length) merged.push(entries[at++] as E);
  return merged;
};

/** Creates the format of blocks that are arrays of entries. */
export const arrayBlockFormat = <K extends string | number, E>(
  keyOf: (entry: E) => K,
  isStart: (key: K) => boolean,
): BlockFormat<K, readonly E[], readonly [K, E | undefined]> => ({
  keyOf: ([key]) => key,
  isRemoval: ([, entry]) => entry === undefined,
  merge: (block, changes) => mergeEntries(block, changes, keyOf),
  join: (one, other) => [...one, ...other],
  cut(block, from) {
    const parts: [K, E[]][] = [];
    for (const entry of block) {
      const key = keyOf(entry);
      const last = parts.at(-1);
      if (last && !isStart(key)) last[1].push(entry);
      else parts.push([isStart(key) ? key : from, [entry]]);
    }
    return parts;
  },
  startsWith: ([entry], key) => entry !== undefined && keyOf(entry) === key,
  endOf(block) {
    const last = block.at(-1);
    return last === undefined ? undefined : keyOf(last);
  },
});

/** Mean number of products in a block: few, because a change of one product rewrites its block. */
const meanEntriesPerBlock = 64;

/** Changes collected before they are written, so that they fit into memory when all products change. */
const maxCollectedChanges = 8_192;

/** Collects changes of the entries of products in a table of blocks, and writes each block once. */
export const openEntryUpdates = <E extends { readonly id: number }, V>(
  stored: WritableTables,
  table: Table<number, V>,
  decode: (value: V) => readonly E[],
  encode: (entries: readonly E[]) => V,
) => {
  const changes: (readonly [id: number, entry: E | undefined])[] = [];
  const seek = (from: number): number => seekBlock(stored, table, from);
  const store: BlockStore<number, readonly E[]> = {
    first: firstBlock,
    floor: seek,
    below: (key) => seek(key - 1),
    load(key) {
      const value = stored.get(table, key);
      return value === undefined ? [] : decode(value);
    },
    save: (key, entries) => stored.put(table, key, encode(entries)),
    remove: (key) => stored.remove(table, key),
  };
  const format = arrayBlockFormat<number, E>(
    ({ id }) => id,
    (id) => isBlockStart(id, meanEntriesPerBlock),
  );
  const flush = (): void => {
    rewriteBlocks(
      store,
      format,
      changes.splice(0).sort(([a], [b]) => a - b),
    );
  };
  return {
    /** Sets the entry of a product, at most once for each; undefined removes it. */
    set(id: number, entry: E | undefined): void {
      changes.push([id, entry]);
      if (changes.length >= maxCollectedChanges) flush();
    },
    flush,
  };
};
