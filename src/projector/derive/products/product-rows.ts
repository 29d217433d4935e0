import type { OfferRows } from "../../../../projections/offer.ts";
import { assembleVariants } from "../../../../projections/variants.ts";
import { latestOf } from "../../../events/time.ts";
import type { CoreRow, VariantRow } from "../../../read-model/schema/rows.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import {
  productOfKey,
  variantKey,
  variantKeys,
  variantOfKey,
} from "../../../read-model/schema/variant-key.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import type { UnitOfWork } from "../../unit-of-work/unit-of-work.ts";

export interface ProductRows extends OfferRows {
  /** Reads the core, which events of prices and stock need not. */
  core(): CoreRow | undefined;
}

/** @param stored tables with the rows of the batch: the unit of work was flushed into them */
export const openProductRows = (
  batch: UnitOfWork,
  stored: WritableTables,
): ((id: number) => ProductRows) => {
  const hasStates = [...stored.keys(tables.variantStates, { limit: 1 })].length > 0;
  const readStates = (id: number): ReadonlyMap<number, VariantRow> => {
    const states = new Map<number, VariantRow>();
    if (!hasStates) return states;
    for (const key of stored.keys(tables.variantStates, variantKeys(id))) {
      const row = batch.variantStates.get(key);
      if (row) states.set(variantOfKey(key), row);
    }
    return states;
  };
  return (id) => {
    const variantList = batch.variantLists.get(id);
    const states = readStates(id);
    const variants = assembleVariants({
      list: variantList,
      states,
      price: (variant) => batch.prices.get(variantKey(id, variant)),
      stock: (variant) => batch.stocks.get(variantKey(id, variant)),
    });
    const prices = batch.prices.get(id);
    const groups = [prices?.product, prices?.price, variantList, ...states.values(), ...variants];
    return {
      ...{ prices, variantList },
      core: () => batch.productCores.get(id),
      active: variants.filter(({ content }) => content.active),
      hasVariants: variants.length > 0,
      stock: batch.stocks.get(id),
      pastChangesAt: groups.flatMap((group) => group?.pastChangesAt ?? []),
      variantsChangedAt: latestOf(
        Array.from(states.values(), ({ contentChangedAt }) => contentChangedAt),
      ),
    };
  };
};

export const productsOfKeys = (keys: Iterable<number | string>): ReadonlySet<number> =>
  new Set(Array.from(keys, productOfKey));
