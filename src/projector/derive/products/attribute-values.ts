import { toOwnAttributes } from "../../../../projections/product-variants.ts";
import { deepEqual } from "../../../platform/deep-equal.ts";
import {
  distinctValues,
  listVariantAttributes,
  type ProductAttributes,
} from "../../../read-model/schema/filter-values.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import {
  decodeAttributes,
  encodeAttributes,
} from "../../../read-model/search/doc-values/attribute-block.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import { openEntryUpdates } from "../block-rewrite.ts";
import type { VisibleProduct } from "./visible-product.ts";

/** Updates the options and attributes by which products are filtered, over one batch. */
export const openAttributeUpdates = (stored: WritableTables) => {
  const entries = openEntryUpdates(
    stored,
    tables.attributeValues,
    decodeAttributes,
    encodeAttributes,
  );
  return {
    update(
      id: number,
      before: VisibleProduct | undefined,
      after: VisibleProduct | undefined,
    ): void {
      if (before?.text === after?.text && before?.variants === after?.variants) return;
      const [previous, current] = [toProductAttributes(before), toProductAttributes(after)];
      if (!deepEqual(previous, current)) entries.set(id, current);
    },
    flush: entries.flush,
  };
};

/** Builds what a product is filtered by in addition to its prices. @returns undefined for a product without any */
const toProductAttributes = (
  product: VisibleProduct | undefined,
): ProductAttributes | undefined => {
  if (!product) return undefined;
  const { id, facts, specifications } = product.text;
  const { index, attributes: stated } = product.variants ?? {};
  const values: ProductAttributes = {
    id,
    options: index?.options ?? [],
    attributes: distinctValues(toOwnAttributes({ specifications, ...facts })),
    variantAttributes: listVariantAttributes(stated?.distinct),
  };
  const { options, attributes, variantAttributes } = values;
  return options.length + attributes.length + variantAttributes.length > 0 ? values : undefined;
};
