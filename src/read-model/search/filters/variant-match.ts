import type { VariantEntry } from "../../schema/documents.ts";
import type { ProductAttributes } from "../../schema/filter-values.ts";
import { stepAt } from "../doc-values/price-column.ts";
import {
  toStatusBits,
  type VariantPrice,
  type VariantValues,
} from "../doc-values/variant-column.ts";
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

/**
 * Tests the variants of a product.
 * @param facts options and attributes of the product
 * @returns a function that tests one of them
 */
export const createVariantTest = (
  values: VariantValues,
  facts: ProductAttributes | undefined,
  filter: VariantFilter,
  instant: number,
): ((entry: VariantEntry, at: number) => boolean) => {
  const { options, attributes, inStockOnly, statuses, isCounted } = filter;
  const prices = values.prices.map((steps) => stepAt(steps, instant));
  const meetsPrice = prices.map((price) =>
    isPriceMet(filter, price?.[1] ?? null, price?.[2] === true),
  );
  const meetsStock = values.stocks.map(
    ({ status, orderable }) =>
      (!inStockOnly || orderable) &&
      (statuses === undefined || (statuses & toStatusBits([status])) !== 0),
  );
  const hasAttributes =
    attributes.length > 0 ? createAttributeTest(values, facts, attributes) : undefined;
  const counts = isCounted ? countedVariants(values, prices) : undefined;
  return (entry, at) =>
    meetsStock[entry[2]] === true &&
    meetsPrice[entry[1]] === true &&
    hasValues(entry, options) &&
    hasAttributes?.(at) !== false &&
    counts?.(entry) !== false;
};

export const isPriceMet = (
  { prices, onSale }: VariantFilter,
  price: number | null,
  isReduced: boolean,
): boolean => (!prices || isWithin(price, prices)) && (!onSale || isReduced);

/** @returns a function that tests the variant at an index, once for all with the same attributes */
const createAttributeTest = (
  { attributes, attributesOf }: VariantValues,
  facts: ProductAttributes | undefined,
  tests: readonly AttributeTest[],
): ((at: number) => boolean) => {
  const all = facts?.variantAttributes ?? [];
  const meetsTests = (own: readonly number[]): boolean =>
    tests.every((test) => meetsTest(own, all, test));
  const [none, met] = [meetsTests([]), attributes.map(meetsTests)];
  return (at) => met[attributesOf[at] ?? -1] ?? none;
};

export const isWithin = (
  price: number | null,
  { min, max }: { readonly min: number; readonly max: number },
): boolean => price !== null && price >= min && price <= max;

/** Values that a variant must have: the index of the option, and those of the values that fit. */
export type WantedValues = readonly (readonly [option: number, values: ReadonlySet<number>])[];

/** A variant that leaves an option out has any value of it. */
export const hasValues = (variant: VariantEntry, wanted: WantedValues): boolean => {
  for (const [option, values] of wanted) {
    const ordinal = variant[3 + option];
    if (ordinal === undefined || (ordinal !== -1 && !values.has(ordinal))) return false;
  }
  return true;
};

/** The variants that the price of the product counts: those that can be ordered and have a price, else those with a price. */
const countedVariants = (
  { entries, stocks }: VariantValues,
  prices: readonly (VariantPrice | undefined)[],
): ((entry: VariantEntry) => boolean) => {
  const hasPrice = ([, price]: VariantEntry): boolean => prices[price]?.[1] != null;
  const counts = (entry: VariantEntry): boolean =>
    stocks[entry[2]]?.orderable === true && hasPrice(entry);
  return entries.some(counts) ? counts : hasPrice;
};
