import type { NameValue, OptionData, VariantData } from "../../src/events/product-facts.ts";
import { type Range, rangeOf } from "./ranges.ts";
import { pick } from "./teller.ts";

/** Options and variants of a product: nothing for a product that is sold in one variant. */
export function variantMembers(
  number: number,
  reference: string,
): { readonly options?: readonly OptionData[]; readonly variants?: readonly VariantData[] } {
  const range = rangeOf(number);
  if (range === undefined) return {};
  const { options, isAlone } = range;
  return isAlone ? { options } : { options, variants: variantsOf(range, reference) };
}

/** Variants count from 1 inside each product. */
export function variantsOf(range: Range, reference: string): readonly VariantData[] {
  return combinations(range.options).map((options, index) => ({
    id: index + 1,
    sku: skuOf(reference, options),
    url: `?variant=${index + 1}`,
    options,
    ...Object.assign({}, ...options.map(({ value }) => range.own?.[value] ?? {})),
  }));
}

/** How much of each variant the shop opens with. */
export const firstVariantQuantity = ({ product, soldOut = [] }: Range, variant: number): number =>
  soldOut.includes(variant) ? 0 : 3 + pick(22, "stock", product, variant);

/** `APP-SHI-1376-XS`: that of the product and what the variant differs in. */
export const skuOf = (reference: string, options: readonly NameValue[]): string =>
  [reference, ...options.map(({ value }) => codeOf(value))].join("-");

/** `Red` → `RED`, `Cream` → `CRE`, `3 pairs` → `3PA`, `10` → `10`. */
const codeOf = (value: string): string =>
  value
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(0, 3)
    .toUpperCase();

export const combinations = ([first, ...rest]: readonly OptionData[]): readonly NameValue[][] => {
  if (first === undefined) return [[]];
  return first.values.flatMap((each) => {
    const value = typeof each === "string" ? each : each.value;
    return combinations(rest).map((others) => [{ name: first.name, value }, ...others]);
  });
};
