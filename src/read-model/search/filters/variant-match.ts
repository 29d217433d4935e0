import type { ProductFacts } from "../doc-values/attribute-scan.ts";
import type { VariantsAt } from "../doc-values/variant-column.ts";
import { type AttributeTest, meetsTest } from "./attribute-match.ts";

/** What one variant has to meet. */
export interface VariantFilter {
  readonly options: WantedValues;
  /** Inclusive, in units of 10^-6; undefined when prices do not matter. */
  readonly prices: { readonly min: number; readonly max: number } | undefined;
  readonly inStockOnly: boolean;
  /** States of stock (`toStatusBits`); undefined when they do not matter. */
  readonly statuses: number | undefined;
  readonly onSale: boolean;
  readonly attributes: readonly AttributeTest[];
  /** Whether only variants match that the price of the product counts. */
  readonly isCounted: boolean;
}

/** Tests the variant at an index, in the order of the shop. */
export type VariantTest = (at: number) => boolean;

/** Creates a test of the variants of a product. @param facts options and attributes of the product */
export const createVariantTest = (
  variants: VariantsAt,
  facts: ProductFacts | undefined,
  filter: VariantFilter,
): VariantTest => {
  const { options, attributes, inStockOnly, statuses, isCounted } = filter;
  const { entries, width, amounts, isReduced, statusBits, isOrderable } = variants;
  const counts = isCounted ? countedVariants(variants) : undefined;
  return (at) => {
    const price = entries[at * width + 1] as number;
    const stock = entries[at * width + 2] as number;
    return (
      (!inStockOnly || isOrderable[stock] === true) &&
      (statuses === undefined || (statuses & (statusBits[stock] as number)) !== 0) &&
      isPriceMet(filter, amounts[price] as number, isReduced[price] === true) &&
      hasValues(variants, at, options) &&
      hasAttributes(variants, at, facts, attributes) &&
      counts?.(at) !== false
    );
  };
};

/** @param price NaN without one */
export const isPriceMet = (
  { prices, onSale }: VariantFilter,
  price: number,
  isReduced: boolean,
): boolean => (!prices || (price >= prices.min && price <= prices.max)) && (!onSale || isReduced);

const hasAttributes = (
  { attributes, attributesOf }: VariantsAt,
  at: number,
  facts: ProductFacts | undefined,
  tests: readonly AttributeTest[],
): boolean => {
  const stated = attributes[attributesOf[at] ?? -1] ?? [];
  for (const test of tests) if (!facts || !meetsTest(stated, facts, test)) return false;
  return true;
};

/** Values that a variant must have: the index of the option, and those of the values that fit. */
export type WantedValues = readonly (readonly [option: number, values: ReadonlySet<number>])[];

/** A variant that leaves an option out has any value of it. */
export const hasValues = (
  { entries, width }: VariantsAt,
  at: number,
  wanted: WantedValues,
): boolean => {
  for (const [option, values] of wanted) {
    const ordinal = option + 3 < width ? entries[at * width + 3 + option] : undefined;
    if (ordinal === undefined || (ordinal !== -1 && !values.has(ordinal))) return false;
  }
  return true;
};

/** The variants that the price of the product counts: those that can be ordered and have a price, else those with a price. */
const countedVariants = (variants: VariantsAt): VariantTest => {
  const { entries, width, amounts, isOrderable } = variants;
  const hasPrice = (at: number): boolean =>
    !Number.isNaN(amounts[entries[at * width + 1] as number] as number);
  const counts = (at: number): boolean =>
    isOrderable[entries[at * width + 2] as number] === true && hasPrice(at);
  return findVariant(variants, counts) === undefined ? hasPrice : counts;
};

/** Finds the first variant that passes a test. @returns its index */
export const findVariant = ({ count }: VariantsAt, test: VariantTest): number | undefined => {
  for (let at = 0; at < count; at += 1) if (test(at)) return at;
  return undefined;
};
