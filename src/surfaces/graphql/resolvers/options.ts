import type { OptionValueData } from "../../../events/product-facts.ts";
import {
  evaluateOption,
  resolveSelection,
  type ValueState,
} from "../../../offers/option-selection.ts";
import type { Product } from "../../../read-model/reader/product.ts";
import type { OptionInput } from "./variants.ts";

/**
 * Resolves `Product.options`. A selected option that the product does not have selects nothing, so that no value exists with it.
 */
export const options = (
  { text, variants }: Product,
  { selected }: { readonly selected?: readonly OptionInput[] | null },
) => {
  if (text.options.length === 0) return [];
  const choices = variants?.choices() ?? { options: [], variants: [] };
  const selection = resolveSelection(choices.options, selected ?? []);
  return text.options.map(({ name, code, values }) => {
    const option = choices.options.find(([own]) => own === name);
    const stateOf =
      selection && option ? evaluateOption(choices.variants, selection, option) : () => noState;
    return { name, code, values: values.map((value) => toValue(value, stateOf(value.value))) };
  });
};

const noState: ValueState = { exists: false, available: false };

const toValue = ({ value, id, swatch }: OptionValueData, state: ValueState) => ({
  value,
  id: id ?? null,
  swatchColor: swatch?.color ?? null,
  swatchImageUrl: swatch?.imageUrl ?? null,
  ...state,
});
