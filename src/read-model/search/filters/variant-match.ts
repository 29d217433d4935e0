import type { NameValue } from "../../../events/event.ts";
import { findOption, findValues } from "../../../offers/option-selection.ts";
import type { VariantEntry } from "../../schema/documents.ts";
import type { OptionValues, ProductAttributes } from "../../schema/filter-values.ts";
import { stepAt } from "../doc-values/price-column.ts";
import {
  toStatusBits,
  type VariantPrice,
  type VariantValues,
} from "../doc-values/variant-column.ts";
import { type AttributeTest, meetsTest } from "./attribute-match.ts";

/** What one variant has to meet. */
export interface VariantFilter {
  readonly options: readonly NameValue[];
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
  const wanted = resolveOptions(facts?.options ?? [], filter.options);
  if (!wanted) return () => false;
  const prices = values.prices.map((steps) => stepAt(steps, instant));
  const meetsPrice = prices.map((price) =>
    isPriceMet(filter, price?.[1] ?? null, price?.[2] === true),
  );
  const meetsStock = values.stocks.map(
    ({ status, orderable }) =>
      (!filter.inStockOnly || orderable) &&
      (filter.statuses === undefined || (filter.statuses & toStatusBits([status])) !== 0),
  );
  const hasAttributes = createAttributeTest(values, facts, filter.attributes);
  const isCounted = filter.isCounted ? countedVariants(values, prices) : undefined;
  return (entry, at) =>
    meetsStock[entry[2]] === true &&
    meetsPrice[entry[1]] === true &&
    hasValues(entry, wanted) &&
    hasAttributes(at) &&
    (!isCounted || isCounted(entry));
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
  const meetsTests = (own: readonly number[]): boolean => {
    const stated = own.flatMap((at) => (all[at] ? [all[at]] : []));
    return tests.every((test) => meetsTest(stated, test));
  };
  const [none, met] = [tests.length === 0 || meetsTests([]), attributes.map(meetsTests)];
  return (at) => met[attributesOf[at] ?? -1] ?? none;
};

export const isWithin = (
  price: number | null,
  { min, max }: { readonly min: number; readonly max: number },
): boolean => price !== null && price >= min && price <= max;

/** Values that a variant must have: the index of the option, and those of the values that fit. */
export type WantedValues = readonly (readonly [option: number, values: ReadonlySet<number>])[];

/** @returns undefined when the product has an option or a value in no way */
const resolveOptions = (
  options: readonly OptionValues[],
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
export const hasValues = (variant: VariantEntry, wanted: WantedValues): boolean =>
  wanted.every(([option, values]) => {
    const ordinal = variant[3 + option];
    return ordinal === -1 || (ordinal !== undefined && values.has(ordinal));
  });

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
