import { type Recent, recentKept } from "../read-model/recent.ts";
import type { CoreRow } from "../read-model/states.ts";
import type { WritableTables } from "../read-model/store.ts";
import { tables } from "../read-model/tables.ts";
import type { Batch } from "./batch.ts";
import { touchedProducts } from "./derive-products.ts";

/** Products past which a batch is told as one that may have changed any. */
const mostTold = 500;

/** Tells readers what a batch changed, so that they need not look at what it did not. */
export const keepRecent = (
  batch: Batch,
  stored: WritableTables,
  after: number,
  head: number,
): void => {
  stored.put(tables.recent, head, recentOf(batch, after));
  stored.put(tables.head, "head", head);
  const kept = [...stored.keys(tables.recent)];
  for (const old of kept.slice(0, -recentKept)) stored.remove(tables.recent, old);
};

const recentOf = (batch: Batch, after: number): Recent => {
  const products = [...touchedProducts(batch)];
  const { categoryStates, pages, carriers, settings, robots, agents } = batch;
  return {
    after,
    products: products.length > mostTold ? null : products,
    listed: [...batch.cores.changed()].some((id) =>
      isMoved(batch.cores.before(id), batch.cores.get(id)),
    ),
    rest: [categoryStates, pages, carriers, settings, robots, agents].some(
      (table) => table.changed().size > 0,
    ),
  };
};

/** Whether a product came, went, or is found elsewhere. */
const isMoved = (before: CoreRow | undefined, after: CoreRow | undefined): boolean => {
  const [was, is] = [before, after].map((row) => {
    const content = row?.group?.content;
    return content?.active ? JSON.stringify([content.url, content.categoryIds]) : undefined;
  });
  return was !== is;
};
