import { buildOffer, type OfferContext } from "../../../../projections/offer.ts";
import { buildProductText } from "../../../../projections/product-text.ts";
import { buildVariants } from "../../../../projections/product-variants.ts";
import type { OfferRow, ProductText, VariantsRow } from "../../../read-model/schema/documents.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { ReadTables } from "../../../read-model/store/store.ts";
import type { ProductRows } from "./product-rows.ts";

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
  const options = rows.active.length > 0 ? rows.core()?.group?.content?.facts?.options : undefined;
  return {
    text,
    offer: buildOffer(rows, context),
    variants: buildVariants(rows, options ?? [], context.policy),
  };
};

export const buildText = (
  id: number,
  { core, active }: ProductRows,
  namedAt: (categoryIds: readonly number[]) => number,
): ProductText | undefined => {
  const row = core();
  return buildProductText(id, row, active, namedAt(row?.group?.content?.categoryIds ?? []));
};
