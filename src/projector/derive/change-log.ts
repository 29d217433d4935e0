import { entities } from "../../../projections/entities.ts";
import type { EntityTable } from "../../../projections/projection.ts";
import { entityKinds } from "../../../projections/subjects.ts";
import { deepEqual } from "../../platform/deep-equal.ts";
import { changeLogLength } from "../../read-model/reader/change-log.ts";
import type { ChangeSet, CoreRow, ProductCore } from "../../read-model/schema/rows.ts";
import { tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";

/** Above this, a change set lists no products and stands for a change of any. */
const maxListedProducts = 500;

/**
 * Appends the change set of a batch to the change log. Readers keep answers that no change set concerns. Every commit
 * of visible data has to append one; that is why deriving does it.
 * @param touched products whose visible data the batch may have changed
 * @param moves whether a product or variant has other addresses
 */
export const appendChangeSet = (
  batch: UnitOfWork,
  stored: WritableTables,
  touched: ReadonlySet<number>,
  moves: boolean,
) => {
  const commitNumber = (stored.get(tables.commitNumber, "commitNumber") ?? 0) + 1;
  stored.put(tables.changeLog, commitNumber, buildChangeSet(batch, touched, moves));
  stored.put(tables.commitNumber, "commitNumber", commitNumber);
  stored.remove(tables.changeLog, commitNumber - changeLogLength);
};

/** Tables whose changes concern every cached answer. */
const shopTables = entityKinds
  .filter((kind) => entities[kind].invalidates === "all")
  .flatMap((kind): readonly EntityTable[] => entities[kind].tables);

const buildChangeSet = (
  batch: UnitOfWork,
  touched: ReadonlySet<number>,
  moves: boolean,
): ChangeSet => {
  const { productCores } = batch;
  return {
    products: touched.size > maxListedProducts ? null : [...touched],
    listChanged:
      moves ||
      [...productCores.changedKeys()].some((id) =>
        isMoved(productCores.original(id), productCores.get(id)),
      ),
    shopChanged: shopTables.some((name) => batch[name].changedKeys().size > 0),
  };
};

/** Whether a product was added or removed, or has another URL or other categories. */
const isMoved = (before: CoreRow | undefined, after: CoreRow | undefined): boolean => {
  const [previous, current] = [getVisibleCore(before), getVisibleCore(after)];
  if (!previous || !current) return previous !== current;
  return previous.url !== current.url || !deepEqual(previous.categoryIds, current.categoryIds);
};

/** @returns undefined for a product that is missing or inactive */
export const getVisibleCore = (row: CoreRow | undefined): ProductCore | undefined => {
  const content = row?.group?.content;
  return content?.active ? content : undefined;
};
