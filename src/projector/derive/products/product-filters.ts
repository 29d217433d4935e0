import { deepEqual } from "../../../../projections/field-group.ts";
import type { ProductRows } from "../../../../projections/product-document.ts";
import type { ProductDocument } from "../../../read-model/schema/documents.ts";
import type { FactValues, OfferValues } from "../../../read-model/schema/filter-values.ts";
import type { ProductCore } from "../../../read-model/schema/rows.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import type { IndexSettingsChange } from "../index-settings.ts";
import { toFactValues, toOfferValues, toVariantIndex, toVariantStock } from "./filter-values.ts";
import type { VariantDocuments } from "./product-variants.ts";
import { updateFactValues, updateOfferValues, type ValueChange } from "./value-blocks.ts";

/** A product before and after a batch. */
export interface ProductChange {
  readonly id: number;
  readonly before: ProductDocument | undefined;
  readonly after: ProductDocument | undefined;
  readonly rows: ProductRows;
  readonly coreBefore: ProductCore | undefined;
  /** Undefined when the batch changed nothing but stock. */
  readonly variants:
    | { readonly before: VariantDocuments; readonly after: VariantDocuments }
    | undefined;
}

/** Updates the values by which products with variants, sales or facts are filtered, over one batch. */
export interface ProductFilters {
  update(change: ProductChange): void;
  /** Writes the collected changes. */
  flush(): void;
}

export const openProductFilters = (
  stored: WritableTables,
  settings: IndexSettingsChange,
): ProductFilters => {
  const offers: ValueChange<OfferValues>[] = [];
  const facts: ValueChange<FactValues>[] = [];
  return {
    update(change) {
      const { id, before, after } = change;
      const [previous, current] = [
        toOfferValues(before, settings.before),
        toOfferValues(after, settings.after),
      ];
      if (!deepEqual(previous, current)) offers.push([id, current]);
      if (before?.offers?.hasVariants || after?.offers?.hasVariants) {
        updateVariantIndex(stored, change, settings.after.currency);
      }
      const fact = diffFacts(change);
      if (fact) facts.push(fact);
    },
    flush() {
      updateOfferValues(stored, offers);
      updateFactValues(stored, facts);
    },
  };
};

const diffFacts = (change: ProductChange): ValueChange<FactValues> | undefined => {
  const { id, before, after, rows, coreBefore, variants } = change;
  if (!variants) return undefined;
  const core = rows.core?.group?.content ?? undefined;
  const [previous, current] = [
    before && toFactValues(id, coreBefore, variants.before),
    after && toFactValues(id, core, variants.after),
  ];
  return deepEqual(previous, current) ? undefined : [id, current];
};

const updateVariantIndex = (
  stored: WritableTables,
  { id, after, rows, variants }: ProductChange,
  currency: string | undefined,
): void => {
  const core = rows.core?.group?.content ?? undefined;
  const index = variants && toVariantIndex(variants.after, after, core, currency);
  if (variants && !index) stored.remove(tables.variantIndexes, id);
  if (index && !deepEqual(stored.get(tables.variantIndexes, id), index)) {
    stored.put(tables.variantIndexes, id, index);
  }
  const stock = after && toVariantStock(rows);
  if (!stock) stored.remove(tables.variantStocks, id);
  else if (!stored.get(tables.variantStocks, id)?.equals(stock)) {
    stored.put(tables.variantStocks, id, stock);
  }
};
