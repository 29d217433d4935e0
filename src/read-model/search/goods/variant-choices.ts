import type { SelectableVariant } from "../../../offers/option-selection.ts";
import type { OptionValues } from "../../schema/filter-values.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { isOrderable } from "./variant-match.ts";

/** A variant with its id and what a selection of options needs. */
export interface VariantChoice extends SelectableVariant {
  readonly id: number;
}

/** The options of a product and its variants, as far as a selection needs them. */
export interface VariantChoices {
  readonly options: readonly OptionValues[];
  readonly variants: readonly VariantChoice[];
}

/**
 * Reads the variants of a product, as far as a selection needs them, in the order of the shop. The index holds them in two rows, so
 * that a product of many variants costs no read for each.
 */
export const readVariantChoices = (
  stored: ReadTables,
  id: number,
  index = stored.get(tables.variantIndexes, id),
): VariantChoices => {
  if (!index) return { options: [], variants: [] };
  const stock = stored.get(tables.variantStocks, id);
  const named = index.options.map(([name, , values]) => values.map((value) => ({ name, value })));
  const variants = index.variants.map(([variant, , ...ordinals], at) => ({
    id: variant,
    options: ordinals.flatMap((ordinal, option) => named[option]?.[ordinal] ?? []),
    orderable: isOrderable(stock, at),
  }));
  return { options: index.options, variants };
};
