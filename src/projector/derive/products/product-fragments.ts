import { deepEqual } from "../../../../projections/field-group.ts";
import { buildProductFragments } from "../../../read-model/fragments/product-fragments.ts";
import type { ProductDocument } from "../../../read-model/schema/documents.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import type { UnitOfWork } from "../../unit-of-work/unit-of-work.ts";

/**
 * Stores the fragments of a product whose core or text a batch changed. Events of its price and its stock change none.
 * @param after document after the batch; undefined for a product that is not visible
 */
export const updateFragments = (
  batch: UnitOfWork,
  stored: WritableTables,
  id: number,
  after: ProductDocument | undefined,
): void => {
  // A text never changes without its core.
  if (!batch.productCores.changedKeys().has(id)) return;
  const core = batch.productCores.get(id)?.group?.content;
  if (!after || !core) {
    stored.remove(tables.productFragments, id);
    return;
  }
  const text = batch.productTexts.get(id);
  const original = batch.productCores.original(id)?.group?.content;
  if (deepEqual(original, core) && deepEqual(batch.productTexts.original(id), text)) return;
  const { categoryIds, specifications, images } = core;
  const markdown = text?.markdown ?? null;
  const detail = { markdown, categoryIds, specifications, images };
  stored.put(tables.productFragments, id, buildProductFragments(after, detail));
};
