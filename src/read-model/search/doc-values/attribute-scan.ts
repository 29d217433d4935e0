import { LRUCache } from "lru-cache";
import type { OptionValues } from "../../schema/filter-values.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { seekBlock } from "../postings/block-boundary.ts";
import type { DocIds } from "../postings/doc-ids.ts";
import { type AttributeBlock, openAttributeBlock } from "./attribute-block.ts";
import { fullScanRatio } from "./doc-values-scan.ts";

/**
 * Reads the blocks that have the options and attributes of products. No cursor is open between two blocks, because a reader may stop
 * before the last one, and an open cursor keeps its snapshot.
 * @param ids ascending
 */
export function* readAttributeBlocks(stored: ReadTables, ids: DocIds): Iterable<AttributeBlock> {
  for (const key of findBlocks(stored, ids)) {
    const bytes = stored.get(tables.attributeValues, key);
    if (bytes) yield decodeOnce(key, bytes);
  }
}

/**
 * Decoded blocks by their key, because a document may search several times; those of 4 MB of rows take some 30 MB of memory. Each is used
 * while the row has its bytes: another commit, or another store of this process, may have others under the key.
 */
const decodedBlocks = new LRUCache<number, readonly [bytes: Buffer, block: AttributeBlock]>({
  maxSize: 4_000_000,
  sizeCalculation: ([bytes]) => bytes.length,
});

const decodeOnce = (key: number, bytes: Buffer): AttributeBlock => {
  const [decodedBytes, decoded] = decodedBlocks.get(key) ?? [];
  if (decoded && decodedBytes?.equals(bytes)) return decoded;
  const block = openAttributeBlock(bytes);
  decodedBlocks.set(key, [Buffer.from(bytes), block]);
  return block;
};

const findBlocks = (stored: ReadTables, ids: DocIds): Iterable<number> => {
  const products = stored.get(tables.counters, "products") ?? 0;
  if (ids.length > products / fullScanRatio) return [...stored.keys(tables.attributeValues)];
  return new Set(Array.from(ids, (id) => seekBlock(stored, tables.attributeValues, id)));
};

/** Options and attributes of a product. */
export interface ProductFacts {
  readonly block: AttributeBlock;
  readonly row: number;
}

/** Finds the facts of a product; undefined when it has none. It is called with ascending ids. */
export type FindFacts = (id: number) => ProductFacts | undefined;

/** Reads the facts of products, a block at a time. @param ids ascending */
export const openFacts = (stored: ReadTables, ids: DocIds): FindFacts => {
  const blocks = readAttributeBlocks(stored, ids)[Symbol.iterator]();
  let block: AttributeBlock | undefined;
  let row = 0;
  return (id) => {
    while ((block?.ids.at(-1) ?? 0) < id) {
      const next = blocks.next();
      if (next.done) return undefined;
      [block, row] = [next.value, 0];
    }
    if (!block) return undefined;
    while ((block.ids[row] as number) < id) row += 1;
    return block.ids[row] === id ? { block, row } : undefined;
  };
};

/** Facts of a product whose attributes do not matter. */
export const toOptionFacts = (id: number, options: readonly OptionValues[]): ProductFacts => {
  const none = { ordinals: [], starts: [0, 0] };
  return {
    block: {
      ids: [id],
      optionLists: [options],
      optionsOf: [0],
      values: [],
      attributes: none,
      variantAttributes: none,
    },
    row: 0,
  };
};

/** One list for all products without options, so that it is compared once. */
const noOptions: readonly OptionValues[] = [];

export const optionsOf = (facts: ProductFacts | undefined): readonly OptionValues[] =>
  facts?.block.optionLists[facts.block.optionsOf[facts.row] as number] ?? noOptions;
