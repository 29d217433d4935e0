import { type Table, tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { seekBlock } from "../postings/block-boundary.ts";
import type { DocIds } from "../postings/doc-ids.ts";

/** All blocks are read in sequence when more than one product in this many is requested. */
const fullScanRatio = 100;

/**
 * Reads the entries of products from a table of blocks, by the id of the product. Products without an entry are left out.
 * @param ids ascending
 */
export const readEntries = <V>(
  stored: ReadTables,
  table: Table<number, readonly V[]>,
  idOf: (entry: V) => number,
  ids: DocIds,
): ReadonlyMap<number, V> => {
  const entries = new Map<number, V>();
  const products = stored.get(tables.counters, "products") ?? 0;
  if (ids.length > products / fullScanRatio) {
    for (const [, block] of stored.entries(table)) {
      for (const entry of block) entries.set(idOf(entry), entry);
    }
    return entries;
  }
  let [lastKey, block]: [number | undefined, readonly V[]] = [undefined, []];
  for (const id of ids) {
    const key = seekBlock(stored, table, id);
    if (key !== lastKey) [lastKey, block] = [key, stored.get(table, key) ?? []];
    const entry = block.find((each) => idOf(each) === id);
    if (entry !== undefined) entries.set(id, entry);
  }
  return entries;
};
