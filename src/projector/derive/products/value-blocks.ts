import type { FactValues, OfferValues } from "../../../read-model/schema/filter-values.ts";
import { type Table, tables } from "../../../read-model/schema/tables.ts";
import {
  firstBlock,
  isBlockStart,
  seekBlock,
} from "../../../read-model/search/postings/block-boundary.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import { arrayBlockFormat, type BlockStore, rewriteBlocks } from "../block-rewrite.ts";

/** Mean number of products in a block: few, because a sold out variant may rewrite one. */
const meanBlockSize = 32;

const isStart = (id: number): boolean => isBlockStart(id, meanBlockSize);

/** Values of a product that a batch changed; undefined when it has none any more. */
export type ValueChange<V> = readonly [id: number, values: V | undefined];

export const updateOfferValues = (
  stored: WritableTables,
  changes: readonly ValueChange<OfferValues>[],
): void => update(stored, tables.offerValues, offerFormat, changes);

export const updateFactValues = (
  stored: WritableTables,
  changes: readonly ValueChange<FactValues>[],
): void => update(stored, tables.factValues, factFormat, changes);

const offerFormat = arrayBlockFormat<number, OfferValues>(([id]) => id, isStart);
const factFormat = arrayBlockFormat<number, FactValues>(({ id }) => id, isStart);

const update = <V>(
  stored: WritableTables,
  table: Table<number, readonly V[]>,
  format: ReturnType<typeof arrayBlockFormat<number, V>>,
  changes: readonly ValueChange<V>[],
): void => {
  if (changes.length === 0) return;
  const ascending = [...changes].sort(([a], [b]) => a - b);
  rewriteBlocks(createBlockStore(stored, table), format, ascending);
};

const createBlockStore = <V>(
  stored: WritableTables,
  table: Table<number, readonly V[]>,
): BlockStore<number, readonly V[]> => {
  const seek = (from: number): number => seekBlock(stored, table, from);
  return {
    first: firstBlock,
    floor: seek,
    below: (key) => seek(key - 1),
    load: (key) => stored.get(table, key) ?? [],
    save: (key, block) => stored.put(table, key, block),
    remove: (key) => stored.remove(table, key),
  };
};
