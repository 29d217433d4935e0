import type { NameValue } from "../../../events/event.ts";
import { foldText, isNamed } from "../../../offers/option-selection.ts";
import type { VariantEntry, VariantIndex, VariantStep } from "../../schema/filter-values.ts";

/** What one variant has to meet. */
export interface VariantFilter {
  readonly options: readonly NameValue[];
  /** Inclusive, in units of 10^-6; undefined when prices do not matter. */
  readonly prices: { readonly min: number; readonly max: number } | undefined;
  readonly inStockOnly: boolean;
  readonly onSale: boolean;
}

/**
 * Finds the variants of a product that meet a filter, in the order of the shop.
 * @param stock a bit for each variant
 * @returns undefined when an option of the filter is none of the product
 */
export const matchVariants = (
  index: VariantIndex,
  stock: Buffer | undefined,
  filter: VariantFilter,
  instant: number,
): readonly VariantEntry[] => {
  const wanted = resolveOptions(index, filter.options);
  if (!wanted) return [];
  const steps = index.prices.map((each) => stepAt(each, instant));
  const orderable = (at: number): boolean => isOrderable(stock, at);
  const isCounted = filter.onSale ? countedVariants(index, steps, orderable) : undefined;
  return index.variants.filter((variant, at) => {
    if (filter.inStockOnly && !orderable(at)) return false;
    if (!hasValues(variant, wanted)) return false;
    const step = steps[variant[1]];
    if (filter.prices && !isWithin(step?.[1] ?? null, filter.prices)) return false;
    return !isCounted || (isCounted(at) && step?.[2] === true);
  });
};

/** Whether the variant at an index can be ordered. */
export const isOrderable = (stock: Buffer | undefined, at: number): boolean =>
  (((stock?.[at >> 3] ?? 0) >> (at & 7)) & 1) === 1;

export const stepAt = <S extends readonly [number, ...unknown[]]>(
  steps: readonly S[],
  instant: number,
): S | undefined => steps.findLast(([from]) => from <= instant) ?? steps[0];

export const isWithin = (
  price: number | null,
  { min, max }: { readonly min: number; readonly max: number },
): boolean => price !== null && price >= min && price <= max;

/** Values that a variant must have: the index of the option, and those of the values that fit. */
type WantedValues = readonly (readonly [option: number, values: ReadonlySet<number>])[];

const resolveOptions = (
  { options }: VariantIndex,
  requested: readonly NameValue[],
): WantedValues | undefined => {
  const wanted: (readonly [number, ReadonlySet<number>])[] = [];
  for (const { name, value } of requested) {
    const at = options.findIndex(([own, code]) => isNamed({ name: own, code }, name));
    if (at === -1) return undefined;
    const ordinals = (options[at]?.[2] ?? []).flatMap((text, ordinal) =>
      foldText(text) === foldText(value) ? ordinal : [],
    );
    wanted.push([at, new Set(ordinals)]);
  }
  return wanted;
};

/** A variant that leaves an option out has any value of it. */
const hasValues = (variant: VariantEntry, wanted: WantedValues): boolean =>
  wanted.every(([option, values]) => {
    const ordinal = variant[2 + option];
    return ordinal === -1 || (ordinal !== undefined && values.has(ordinal));
  });

/** The variants that the price of the product counts: those that can be ordered and have a price, else those with a price. */
const countedVariants = (
  { variants }: VariantIndex,
  steps: readonly (VariantStep | undefined)[],
  orderable: (at: number) => boolean,
): ((at: number) => boolean) => {
  const hasPrice = (at: number): boolean => steps[variants[at]?.[1] ?? -1]?.[1] != null;
  const counts = (at: number): boolean => orderable(at) && hasPrice(at);
  return variants.some((_, at) => counts(at)) ? counts : hasPrice;
};
