import { deepEqual } from "../../../../projections/field-group.ts";
import type { ProductRows } from "../../../../projections/product-document.ts";
import { completeOptions } from "../../../../projections/product-options.ts";
import type { ProductGoods, VariantDocument } from "../../../read-model/schema/documents.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import { variantKey } from "../../../read-model/schema/variant-key.ts";
import type { ReadTables, WritableTables } from "../../../read-model/store/store.ts";

/** What is stored of a product in addition to its document: its facts and its active variants. */
export interface VariantDocuments {
  readonly goods: ProductGoods | undefined;
  readonly variants: readonly VariantDocument[];
}

export const noVariants: VariantDocuments = { goods: undefined, variants: [] };

export const buildVariantDocuments = ({ core, variants }: ProductRows): VariantDocuments => {
  const { options, ...facts } = core?.group?.content?.facts ?? {};
  const documents = variants.flatMap(({ content, terms }): VariantDocument[] => {
    const { active, terms: _, ...members } = content;
    if (!active) return [];
    return [terms ? { ...members, terms } : members];
  });
  const isPlain = !options && Object.keys(facts).length === 0;
  if (isPlain && documents.length === 0) return noVariants;
  const complete = completeOptions(options ?? [], documents);
  const goods = {
    facts,
    options: complete.options,
    variantIds: documents.map(({ id }) => id),
  };
  return { goods, variants: complete.variants };
};

/** Reads the stored documents of a product. */
export const readVariantDocuments = (stored: ReadTables, id: number): VariantDocuments => {
  const goods = stored.get(tables.productGoods, id);
  if (!goods) return noVariants;
  const variants = goods.variantIds.flatMap(
    (variant) => stored.get(tables.variants, variantKey(id, variant)) ?? [],
  );
  return { goods, variants };
};

/** Writes the documents that changed. */
export const updateVariantDocuments = (
  stored: WritableTables,
  id: number,
  before: VariantDocuments,
  after: VariantDocuments,
): void => {
  if (!after.goods) {
    if (before.goods) stored.remove(tables.productGoods, id);
  } else if (!deepEqual(before.goods, after.goods)) {
    stored.put(tables.productGoods, id, after.goods);
  }
  const remaining = new Map(before.variants.map((variant) => [variant.id, variant]));
  for (const variant of after.variants) {
    const previous = remaining.get(variant.id);
    remaining.delete(variant.id);
    if (!deepEqual(previous, variant)) {
      stored.put(tables.variants, variantKey(id, variant.id), variant);
    }
  }
  for (const variant of remaining.keys()) stored.remove(tables.variants, variantKey(id, variant));
};
