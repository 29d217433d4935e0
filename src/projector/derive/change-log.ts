import { isEqual } from "../../../projections/field-group.ts";
import { type Recent, recentKept } from "../../read-model/reader/change-log.ts";
import type { CoreRow, ProductCore } from "../../read-model/schema/rows.ts";
import { tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { Batch } from "../batch/unit-of-work.ts";
import { touchedProducts } from "./products.ts";

/** Products past which a batch is told as one that may have changed any. */
const mostTold = 500;

/**
 * Tells readers what a batch changed, so that they need not look at what it did not. Whoever commits a change of what
 * is shown has to: that is why it is a part of deriving.
 */
export const keepRecent = (batch: Batch, stored: WritableTables): void => {
  const head = (stored.get(tables.head, "head") ?? 0) + 1;
  stored.put(tables.recent, head, recentOf(batch));
  stored.put(tables.head, "head", head);
  stored.remove(tables.recent, head - recentKept);
};

const recentOf = (batch: Batch): Recent => {
  const products = [...touchedProducts(batch)];
  const { categoryStates, pages, carriers, settings, robots, agents } = batch;
  return {
    products: products.length > mostTold ? null : products,
    listed: someOf(batch.cores.changed(), (id) =>
      isMoved(batch.cores.before(id), batch.cores.get(id)),
    ),
    rest: [categoryStates, pages, carriers, settings, robots, agents].some(
      (table) => table.changed().size > 0,
    ),
  };
};

const someOf = (ids: Iterable<number>, is: (id: number) => boolean): boolean => {
  for (const id of ids) if (is(id)) return true;
  return false;
};

/** Whether a product came, went, or is found elsewhere. */
const isMoved = (before: CoreRow | undefined, after: CoreRow | undefined): boolean => {
  const [was, is] = [shownOf(before), shownOf(after)];
  if (!was || !is) return was !== is;
  return was.url !== is.url || !isEqual(was.categoryIds, is.categoryIds);
};

const shownOf = (row: CoreRow | undefined): ProductCore | undefined => {
  const content = row?.group?.content;
  return content?.active ? content : undefined;
};
