import type { NameValue } from "../../../events/event.ts";
import { findOption, findValues } from "../../../offers/option-selection.ts";
import type { VariantEntry, VariantIndex, VariantStep } from "../../schema/filter-values.ts";
import { type AttributeTest, meetsTest } from "./attribute-match.ts";

/** What one variant has to meet. */
export interface VariantFilter {
  readonly options: readonly NameValue[];
  /** Inclusive, in units of 10^-6; undefined when prices do not matter. */
  readonly prices: { readonly min: number; readonly max: number } | undefined;
  readonly inStockOnly: boolean;
  readonly onSale: boolean;
  readonly attributes: readonly AttributeTest[];
  /** Whether only variants match that the price of the product counts. */
  readonly isCounted: boolean;
}

/**
 * Finds the variants of a product that meet a filter, in the order of the shop.
 * @param stock a bit for each variant
 */
export const matchVariants = (
  index: VariantIndex,
  stock: Buffer | undefined,
  filter: VariantFilter,
  instant: number,
): readonly VariantEntry[] => {
  const wanted = resolveOptions(index, filter.options);
  if (!wanted) return [];
  const { facts } = index;
  const steps = index.prices.map((each) => stepAt(each, instant));
  const orderable = (at: number): boolean => isOrderable(stock, at);
  const isCounted = filter.isCounted ? countedVariants(index, steps, orderable) : undefined;
  const meetsPrice = (at: number, step: VariantStep | undefined): boolean =>
    (!filter.prices || isWithin(step?.[1] ?? null, filter.prices)) &&
    (!filter.onSale || step?.[2] === true) &&
    (!isCounted || isCounted(at));
  return index.variants.filter((variant, at) => {
    if (filter.inStockOnly && !orderable(at)) return false;
    if (!hasValues(variant, wanted) || !meetsPrice(at, steps[variant[1]])) return false;
    const stated = facts?.distinct[facts.of[at] ?? -1] ?? [];
    return filter.attributes.every((test) => meetsTest(stated, test));
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

/** @returns undefined when the product has an option or a value in no way */
const resolveOptions = (
  { options }: VariantIndex,
  requested: readonly NameValue[],
): WantedValues | undefined => {
  const wanted: (readonly [number, ReadonlySet<number>])[] = [];
  for (const { name, value } of requested) {
    const option = findOption(options, name);
    if (!option) return undefined;
    const [, , values, open] = option;
    const alike = findValues(values, value);
    if (alike.length === 0 && !open) return undefined;
    const ordinals = alike.map((text) => values.indexOf(text));
    wanted.push([options.indexOf(option), new Set(ordinals)]);
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
