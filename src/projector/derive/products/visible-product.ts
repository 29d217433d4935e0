import { buildOffer, type OfferContext, type OfferRows } from "../../../../projections/offer.ts";
import { buildVariants } from "../../../../projections/product-variants.ts";
import { assembleVariants } from "../../../../projections/variants.ts";
import { latestOf } from "../../../events/time.ts";
import type { OfferRow, ProductText, VariantsRow } from "../../../read-model/schema/documents.ts";
import { variantKey, variantKeys, variantOfKey } from "../../../read-model/schema/keys.ts";
import type { CoreRow, VariantRow } from "../../../read-model/schema/rows.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { ReadTables } from "../../../read-model/store/store.ts";
import type { UnitOfWork } from "../../unit-of-work/unit-of-work.ts";

export interface VisibleProduct {
  readonly text: ProductText;
  readonly offer: OfferRow;
  /** Undefined without active variants. */
  readonly variants: VariantsRow | undefined;
}

/** @returns undefined for a product that is not visible */
export const readVisibleProduct = (stored: ReadTables, id: number): VisibleProduct | undefined => {
  const [text, offer] = [stored.get(tables.products, id), stored.get(tables.offers, id)];
  if (!text || !offer) return undefined;
  const variants = offer.changes?.hasVariants ? stored.get(tables.variants, id) : undefined;
  return { text, offer, variants };
};

/**
 * Builds what is stored of a product.
 * @param text its texts; undefined when it is not visible
 */
export const buildVisibleProduct = (
  text: ProductText | undefined,
  rows: ProductRows,
  context: OfferContext,
): VisibleProduct | undefined => {
  if (!text) return undefined;
  const readOptions = () => rows.core()?.group?.content?.facts?.options ?? [];
  return {
    text,
    offer: buildOffer(rows, context),
    variants:
      rows.active.length > 0 ? buildVariants(rows, readOptions(), context.policy) : undefined,
  };
};

export interface ProductRows extends OfferRows {
  /** Reads the core, which events of prices and stock need not. */
  core(): CoreRow | undefined;
}

/** Reads the ids of the variants of a product that have events of their own; without a lookup where no product has any. */
export const openStatedVariants = (
  stored: Pick<ReadTables, "keys">,
): ((product: number) => readonly number[]) => {
  const hasStates = [...stored.keys(tables.variantStates, { limit: 1 })].length > 0;
  return (product) =>
    hasStates
      ? Array.from(stored.keys(tables.variantStates, variantKeys(product)), variantOfKey)
      : [];
};

/** @param stored tables with the rows of the batch: the unit of work was flushed into them */
export const openProductRows = (
  batch: UnitOfWork,
  stored: ReadTables,
): ((id: number) => ProductRows) => {
  const readStatedIds = openStatedVariants(stored);
  const readStates = (id: number): ReadonlyMap<number, VariantRow> => {
    const states = new Map<number, VariantRow>();
    for (const variant of readStatedIds(id)) {
      const row = batch.variantStates.get(variantKey(id, variant));
      if (row) states.set(variant, row);
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
      prices,
      variantList,
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
